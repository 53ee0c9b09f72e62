# gems: kramdown
require "kramdown"
text = <<~MARKDOWN
  # Title {#top}

  A *paragraph* with **strong**, `code`, a [link](http://example.com "t") and a footnote[^1].

  * one
  * two
      1. nested
      2. list

  > quote "smart" -- dash...

  | a | b |
  |---|:-:|
  | 1 | 2 |

  ~~~ ruby
  puts 1 < 2
  ~~~

  Term
  : Definition

  $$ x^2 $$

  {:.klass}
  A classy one.

  *[HTML]: Hyper Text

  HTML here.

  [^1]: The note.
MARKDOWN
document = Kramdown::Document.new(text, math_engine: nil, syntax_highlighter: nil)
puts document.to_html
puts document.to_kramdown
puts document.to_latex
puts Kramdown::Document.new("<div markdown=\"1\">*x*</div>").to_html
puts Kramdown::Document.new("<p>some <em>html</em></p>", input: "html").to_kramdown
# prints: <h1 id="top">Title</h1>
# prints:
# prints: <p>A <em>paragraph</em> with <strong>strong</strong>, <code>code</code>, a <a href="http://example.com" title="t">link</a> and a footnote<sup id="fnref:1" role="doc-noteref"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup>.</p>
# prints:
# prints: <ul>
# prints:   <li>one</li>
# prints:   <li>two
# prints:     <ol>
# prints:       <li>nested</li>
# prints:       <li>list</li>
# prints:     </ol>
# prints:   </li>
# prints: </ul>
# prints:
# prints: <blockquote>
# prints:   <p>quote “smart” – dash…</p>
# prints: </blockquote>
# prints:
# prints: <table>
# prints:   <thead>
# prints:     <tr>
# prints:       <th>a</th>
# prints:       <th style="text-align: center">b</th>
# prints:     </tr>
# prints:   </thead>
# prints:   <tbody>
# prints:     <tr>
# prints:       <td>1</td>
# prints:       <td style="text-align: center">2</td>
# prints:     </tr>
# prints:   </tbody>
# prints: </table>
# prints:
# prints: <pre><code class="language-ruby">puts 1 &lt; 2
# prints: </code></pre>
# prints:
# prints: <dl>
# prints:   <dt>Term</dt>
# prints:   <dd>Definition</dd>
# prints: </dl>
# prints:
# prints: <div class="kdmath">$$
# prints: x^2
# prints: $$</div>
# prints:
# prints: <p class="klass">A classy one.</p>
# prints:
# prints: <p><abbr title="Hyper Text">HTML</abbr> here.</p>
# prints:
# prints: <div class="footnotes" role="doc-endnotes">
# prints:   <ol>
# prints:     <li id="fn:1" role="doc-endnote">
# prints:       <p>The note. <a href="#fnref:1" class="reversefootnote" role="doc-backlink">&#8617;</a></p>
# prints:     </li>
# prints:   </ol>
# prints: </div>
# prints: # Title   {#top}
# prints:
# prints: A *paragraph* with **strong**, `code`, a [link][1] and a footnote[^1].
# prints:
# prints: * one
# prints: * two
# prints:   1.  nested
# prints:   2.  list
# prints:
# prints: > quote "smart" -- dash...
# prints:
# prints: | a | b |
# prints: | - :-:
# prints: | 1 | 2 |
# prints:
# prints:     puts 1 < 2
# prints: {: .language-ruby}
# prints:
# prints: Term
# prints: : Definition
# prints:
# prints: $$x^2$$
# prints:
# prints: A classy one.
# prints: {: .klass}
# prints:
# prints: HTML here.
# prints:
# prints:
# prints:
# prints: [1]: http://example.com "t"
# prints: [^1]:
# prints:     The note.
# prints:
# prints: *[HTML]: Hyper Text
# prints:
# prints:
# prints: \section{Title}\hypertarget{top}{}\label{top}
# prints:
# prints: A \emph{paragraph} with \textbf{strong}, \texttt{code}, a \href{http://example.com}{link} and a footnote\footnote{The note.}.
# prints:
# prints: \begin{itemize}
# prints: \item{} one
# prints: \item{} two
# prints:
# prints:
# prints: \begin{enumerate}
# prints: \item{} nested
# prints: \item{} list
# prints: \end{enumerate}
# prints: \end{itemize}
# prints:
# prints: \begin{quote}
# prints: quote ``smart'' -- dash\ldots{}
# prints: \end{quote}
# prints:
# prints: \begin{longtable}{|l|c|}
# prints: \hline
# prints: a & b\\
# prints: \hline
# prints: 1 & 2\\
# prints: \hline
# prints: \end{longtable}
# prints:
# prints: \begin{lstlisting}[showspaces=false,showtabs=false,language=ruby,basicstyle=\ttfamily\footnotesize,columns=fixed,frame=tlbr]
# prints: puts 1 < 2
# prints:
# prints: \end{lstlisting}   %  class="language-ruby"
# prints:
# prints: \begin{description}
# prints: \item[Term] Definition
# prints: \end{description}
# prints:
# prints: \begin{displaymath}
# prints: x^2
# prints: \end{displaymath}
# prints:
# prints: A classy one.
# prints:
# prints: \ac{HTML} here.
# prints:
# prints: <div>
# prints:   <p><em>x</em>&lt;/div&gt;</p>
# prints: </div>
# prints: some *html*
# prints:
