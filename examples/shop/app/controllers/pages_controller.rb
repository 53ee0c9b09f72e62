class PagesController < ApplicationController
  # How often this browser has been here.
  def session_counter
    session[:visits] = session[:visits].to_i + 1
    render json: { visits: session[:visits] }
  end

  def report
    @totals = Report.new.totals
  end

  # 20 MB, compressed.
  def export
    line = "%08d;a product;%06d;a longer description of what it is\n"
    text = (0...20_000_000 / 64).map { |i| format(line, i, i * 7 % 99_991) }.join
    send_data Zlib.gzip(text, level: 6), type: "application/gzip", filename: "export.csv.gz"
  end

  def about
    render html: PageText.html(File.read(Rails.root.join("README.md"))), layout: true
  end
end
