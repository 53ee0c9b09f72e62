Rails.application.routes.draw do
  root "products#index"
  resources :products, only: %i[index show create]
  resources :orders, only: %i[create show]
  get "session" => "pages#session_counter"
  get "report" => "pages#report"
  get "export" => "pages#export"
  get "about" => "pages#about"
  mount ActionCable.server => "/cable"
end
