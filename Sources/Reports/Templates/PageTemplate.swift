/// The page around all models.
enum PageTemplate {
  /// What every page begins with, and tells it from pages of others.
  static let head = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="generator" content="ingot">

    """#

  /// Nothing may be loaded or run; styles and pictures are inside.
  static let text =
    head + #"""
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>{{title}} – ingot {{command}}</title>
      <link rel="icon" href="data:,">
      <style>{{{style}}}</style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the results</a>
      {{#isProject}}
      <header class="top">
      <p class="kicker">ingot {{command}}</p>
      <h1><bdi>{{title}}</bdi></h1>
      <p>{{summary}}</p>
      </header>
      <nav aria-label="Models" class="panel">
      <div class="scroll" role="group" aria-label="All models" tabindex="0">
      <table>
      <caption>Models</caption>
      <thead><tr><th scope="col">model</th><th scope="col">verdict</th><th scope="col" class="n">size</th><th scope="col" class="n">drift</th></tr></thead>
      <tbody>
      {{#index}}
      <tr><th scope="row"><a href="#{{anchor}}"><bdi>{{name}}</bdi></a></th><td><span class="badge {{outcome.style}}"><span aria-hidden="true">{{outcome.mark}}</span> {{outcome.words}}</span></td><td class="n">{{size}}</td><td class="n">{{drift}}</td></tr>
      {{/index}}
      </tbody>
      </table>
      </div>
      </nav>
      {{/isProject}}
      <main id="main">
      {{#models}}
      {{>model}}
      {{/models}}
      {{#hasDeliveries}}
      <section aria-labelledby="packages">
      <h2 id="packages">Packages</h2>
      <div class="scroll" role="group" aria-label="Packages of all customers" tabindex="0">
      <table>
      <thead><tr><th scope="col">customer</th><th scope="col">version</th><th scope="col">package</th><th scope="col" class="n">size</th></tr></thead>
      <tbody>
      {{#deliveries}}
      <tr><th scope="row"><bdi>{{customer}}</bdi></th><td>{{version}}</td><td>{{#package}}<span class="word">{{.}}</span><br><code class="hash">sha256 {{sha256}}</code>{{/package}}{{^package}}<span class="badge refuse"><span aria-hidden="true">✕</span> no package</span>{{#reason}}<br>{{.}}{{/reason}}{{#hasMore}}<details><summary>{{more}}</summary><ul>{{#others}}<li>{{.}}</li>{{/others}}</ul></details>{{/hasMore}}{{/package}}</td><td class="n">{{size}}</td></tr>
      {{/deliveries}}
      </tbody>
      </table>
      </div>
      </section>
      {{/hasDeliveries}}
      </main>
      <footer>
      <p>Made by ingot {{version}}. The page holds no script and no address, and no time: the same inputs give the same bytes.</p>
      </footer>
      </body>
      </html>

      """#
}
