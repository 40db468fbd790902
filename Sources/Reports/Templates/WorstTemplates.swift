/// What drifted most, side by side.
enum WorstTemplates {
  static let text = #"""
    {{#hasPairs}}
    <section aria-labelledby="{{anchor}}-pairs">
    <h{{part}} id="{{anchor}}-pairs">Pairs whose similarity moved most</h{{part}}>
    <ol class="pairs">
    {{#pairs}}
    <li>
    <p class="figures"><strong>{{before}} → {{after}}</strong> <span class="muted">({{change}}), line {{line}}</span></p>
    <div class="sides"><div>{{#a}}{{>input}}{{/a}}</div><div>{{#b}}{{>input}}{{/b}}</div></div>
    </li>
    {{/pairs}}
    </ol>
    </section>
    {{/hasPairs}}
    {{#hasInputs}}
    <section aria-labelledby="{{anchor}}-inputs">
    <h{{part}} id="{{anchor}}-inputs">Inputs that turned most</h{{part}}>
    <ol class="drifted">
    {{#inputs}}
    {{>drifted}}
    {{/inputs}}
    </ol>
    </section>
    {{/hasInputs}}
    {{#hasNeighbours}}
    <section aria-labelledby="{{anchor}}-neighbours">
    <h{{part}} id="{{anchor}}-neighbours">Inputs that lost most neighbours</h{{part}}>
    <p class="muted">How many of the nearest inputs are among the nearest no more.</p>
    <ol class="drifted">
    {{#neighbours}}
    {{>drifted}}
    {{/neighbours}}
    </ol>
    </section>
    {{/hasNeighbours}}
    {{#hasOutputs}}
    <section aria-labelledby="{{anchor}}-outputs">
    <h{{part}} id="{{anchor}}-outputs">Outputs that moved most</h{{part}}>
    <ol class="drifted">
    {{#outputs}}
    {{>drifted}}
    {{/outputs}}
    </ol>
    </section>
    {{/hasOutputs}}
    """#

  static let input = #"""
    {{#image}}<img src="{{source}}" width="{{width}}" height="{{height}}" alt="{{alt}}"><br>{{/image}}{{#isText}}<q><bdi dir="auto">{{words}}</bdi></q>{{/isText}}{{^isText}}<code class="word">{{words}}</code>{{/isText}}
    """#

  static let drifted = #"""
    <li><span class="figures"><strong>{{figure}}</strong> <span class="muted">line {{line}}</span></span> {{#input}}{{>input}}{{/input}}</li>
    """#
}

/// Where everything comes from, and how to make it again.
enum OriginTemplate {
  static let text = #"""
    {{#hasWarnings}}
    <section aria-labelledby="{{anchor}}-warnings">
    <h{{part}} id="{{anchor}}-warnings">Warnings</h{{part}}>
    <ul>
    {{#warnings}}
    <li>{{#id}}<code class="tag">{{.}}</code> {{/id}}{{sentence}}</li>
    {{/warnings}}
    </ul>
    </section>
    {{/hasWarnings}}
    {{#hasSets}}
    <section aria-labelledby="{{anchor}}-sets">
    <h{{part}} id="{{anchor}}-sets">Judged by, and fitted to</h{{part}}>
    <dl class="facts">
    {{#sets}}
    <div><dt>{{role}}</dt><dd>{{size}}{{#path}}, <bdi class="word">{{.}}</bdi>{{/path}}<br><code class="hash">sha256 {{sha256}}</code></dd></div>
    {{/sets}}
    {{^isCalibrated}}
    <div><dt>calibration</dt><dd>none: weights are not fitted to inputs</dd></div>
    {{/isCalibrated}}
    </dl>
    </section>
    {{/hasSets}}
    {{#hasDigests}}
    <section aria-labelledby="{{anchor}}-digests">
    <h{{part}} id="{{anchor}}-digests">Digests</h{{part}}>
    <dl class="facts">
    {{#digests}}
    <div><dt><bdi>{{name}}</bdi></dt><dd><code class="hash">{{value}}</code></dd></div>
    {{/digests}}
    </dl>
    </section>
    {{/hasDigests}}
    {{#hasCommands}}
    <section aria-labelledby="{{anchor}}-again">
    <h{{part}} id="{{anchor}}-again">Make it again</h{{part}}>
    {{#commands}}
    <pre tabindex="0" role="group" aria-label="Command"><code>{{.}}</code></pre>
    {{/commands}}
    </section>
    {{/hasCommands}}
    """#
}
