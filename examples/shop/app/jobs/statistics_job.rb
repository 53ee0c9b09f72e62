# Computes: what takes the lock from jobs that wait.
class StatisticsJob < ActiveJob::Base
  queue_as :default

  def perform(rounds = 20_000) = Report.new(rounds).totals
end
