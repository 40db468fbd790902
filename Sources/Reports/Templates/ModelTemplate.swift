/// All of one model.
enum ModelTemplate {
  static let text = #"""
    <article aria-labelledby="{{anchor}}">
    <div class="top">
    {{^isPart}}<p class="kicker">ingot {{command}}</p>{{/isPart}}
    <h{{level}} id="{{anchor}}"><bdi>{{name}}</bdi></h{{level}}>
    <p><span class="badge large {{outcome.style}}"><span aria-hidden="true">{{outcome.mark}}</span> {{outcome.words}}</span></p>
    {{#notes}}
    <p class="muted">{{.}}</p>
    {{/notes}}
    </div>
    <dl class="cards">
    {{#cards}}
    <div><dt>{{label}}</dt><dd><strong>{{value}}</strong><span>{{note}}</span></dd></div>
    {{/cards}}
    </dl>
    {{#reasons}}
    <section aria-labelledby="{{anchor}}-why" class="panel why">
    <h{{part}} id="{{anchor}}-why">Why it was refused</h{{part}}>
    <ol>
    {{#items}}
    <li>{{#id}}<code class="tag">{{.}}</code> {{/id}}{{sentence}}</li>
    {{/items}}
    </ol>
    {{#hasMends}}
    <p class="muted">What would mend it, and its price:</p>
    <ul>
    {{#mends}}
    <li>{{.}}</li>
    {{/mends}}
    </ul>
    {{/hasMends}}
    {{#hasOutlooks}}
    <p class="muted">Other limits:</p>
    <ul>
    {{#outlooks}}
    <li>{{.}}</li>
    {{/outlooks}}
    </ul>
    {{/hasOutlooks}}
    </section>
    {{/reasons}}
    {{#metrics}}
    <section aria-labelledby="{{anchor}}-limits">
    <h{{part}} id="{{anchor}}-limits">Measured, and what is allowed</h{{part}}>
    <p class="muted">{{#limitsWords}}Limits: {{.}}. {{/limitsWords}}Measured on {{subjects}}.</p>
    <div class="scroll" role="group" aria-label="Metrics and limits" tabindex="0">
    <table class="metrics">
    <thead><tr><th scope="col">metric</th><th scope="col" class="n">measured</th><th scope="col">limit</th><th scope="col">of the allowed change</th></tr></thead>
    <tbody>
    {{#rows}}
    <tr><th scope="row">{{metric}}</th><td class="n">{{value}}</td><td>{{#limit}}{{#isKept}}<span class="pass" aria-hidden="true">✓</span>{{/isKept}}{{#isMissed}}<span class="refuse">✕<span class="hidden"> missed:</span></span>{{/isMissed}} {{.}}{{/limit}}{{^limit}}<span class="muted">no limit</span>{{/limit}}</td><td>{{#used}}<span class="use{{#isMissed}} over{{/isMissed}}" aria-hidden="true"><span style="width:{{usedWidth}}"></span></span> {{.}}{{/used}}</td></tr>
    {{/rows}}
    </tbody>
    </table>
    </div>
    </section>
    {{/metrics}}
    {{#classes}}
    <section aria-labelledby="{{anchor}}-classes">
    <h{{part}} id="{{anchor}}-classes">Flips by class</h{{part}}>
    <p class="muted">Inputs that the model as trained gives a class, and how many of them now get another.</p>
    <div class="scroll" role="group" aria-label="Flips by class" tabindex="0">
    <table>
    <thead><tr><th scope="col">class</th><th scope="col" class="n">inputs</th><th scope="col" class="n">flips</th><th scope="col">to</th></tr></thead>
    <tbody>
    {{#rows}}
    <tr><th scope="row"><bdi>{{label}}</bdi></th><td class="n">{{inputs}}</td><td class="n">{{flips}}</td><td>{{targets}}</td></tr>
    {{/rows}}
    </tbody>
    </table>
    </div>
    {{#more}}
    <p class="muted">{{.}}</p>
    {{/more}}
    </section>
    {{/classes}}
    {{#frontier}}
    {{>frontier}}
    {{/frontier}}
    {{#layers}}
    {{>layers}}
    {{/layers}}
    {{#histogram}}
    {{>histogram}}
    {{/histogram}}
    {{#worst}}
    {{>worst}}
    {{/worst}}
    {{>origins}}
    </article>
    """#
}
