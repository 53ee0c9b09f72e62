apps_require "mail"

mail = Mail.new do
  from "ada@example.com"
  to "Grace Höpper <grace@example.com>, b@example.com"
  subject "Grüße #{"lang " * 20}"
  date Time.utc(2020, 1, 2, 3, 4, 5)
  message_id "<1@example.com>"
  text_part { body "Hällo\n" * 3 }
  html_part { content_type "text/html; charset=UTF-8"; body "<b>Hällo</b>" }
  add_file filename: "a.txt", content: "attached\n"
end
text = mail.to_s
puts text.gsub(/--==_mimepart_\w+(?:-\w+)?/, "--B").gsub(/boundary="[^"]*"/, "boundary").gsub(/<[^>]*\.mail>/, "<id>")
back = Mail.read_from_string(text)
p back.to, back.subject, back.parts.map(&:content_type).map { |type| type[/\A[^;]+/] },
  back.attachments.map { |file| [file.filename, file.decoded] }, back.text_part.decoded
20.times { Mail.read_from_string(text).parts.size }
