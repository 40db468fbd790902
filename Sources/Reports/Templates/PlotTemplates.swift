/// Drawings, each with a table that says the same.
enum PlotTemplates {
  static let frontier = #"""
    <section aria-labelledby="{{anchor}}-frontier">
    <h{{part}} id="{{anchor}}-frontier">Size against drift</h{{part}}>
    {{#plot}}
    <figure>
    <svg class="plot" role="img" aria-label="{{label}}" width="100%" height="{{height}}">
    {{#rows}}
    <line class="grid" x1="0" x2="100%" y1="{{y}}" y2="{{y}}"/><text class="tick" x="0" y="{{textY}}">{{label}}</text>
    {{/rows}}
    {{#columns}}
    <line class="grid" x1="{{x}}" x2="{{x}}" y1="{{bottom}}" y2="{{bottom}}" style="transform:translateY(4px)"/><text class="tick" text-anchor="{{anchor}}" x="{{x}}" y="{{axisY}}">{{label}}</text>
    {{/columns}}
    <line class="axis" x1="0" x2="100%" y1="{{bottom}}" y2="{{bottom}}"/>
    {{#budget}}
    <line class="budget" x1="{{x}}" x2="{{x}}" y1="20" y2="{{bottom}}"/><text class="note" text-anchor="{{anchor}}" x="{{x}}" y="14">{{label}}</text>
    {{/budget}}
    {{#limits}}
    <line class="limit{{#isOwn}} own{{/isOwn}}" x1="0" x2="100%" y1="{{y}}" y2="{{y}}"/><text class="note{{#isOwn}} own{{/isOwn}}" text-anchor="end" x="100%" y="{{textY}}">{{label}}</text>
    {{/limits}}
    {{#points}}
    <svg x="{{x}}" y="{{y}}" overflow="visible" class="point">{{#isVerdict}}<circle class="ring" r="10"/>{{/isVerdict}}{{#isPassed}}<circle class="passed" r="6"/>{{/isPassed}}{{#isRefused}}<path class="refused" d="M-5-5L5 5M-5 5L5-5"/>{{/isRefused}}{{#number}}<text class="number" text-anchor="{{anchor}}" x="{{numberX}}" y="5">{{.}}</text>{{/number}}<title>{{title}}</title></svg>
    {{/points}}
    <text class="tick" text-anchor="end" x="100%" y="332">bytes of weights</text>
    </svg>
    <figcaption>{{driftName}} (logarithmic) by bytes of weights; further down and to the left is better.
    <span class="key"><svg width="18" height="18" aria-hidden="true"><circle class="passed" cx="9" cy="9" r="6"/></svg> passed</span>
    <span class="key"><svg width="18" height="18" aria-hidden="true"><path class="refused" d="M4 4L14 14M4 14L14 4"/></svg> refused</span>
    {{#isSearch}}
    <span class="key"><svg width="24" height="24" aria-hidden="true"><circle class="ring" cx="12" cy="12" r="10"/></svg> judged by references that the search did not see</span>
    {{/isSearch}}
    </figcaption>
    </figure>
    {{/plot}}
    <div class="scroll" role="group" aria-label="Every candidate" tabindex="0">
    <table>
    <caption>Every candidate that was judged</caption>
    <thead><tr><th scope="col" class="n">no.</th><th scope="col" class="n">weights</th><th scope="col" class="n">{{driftName}}</th><th scope="col">verdict</th><th scope="col" class="n">limits used</th>{{#isSearch}}<th scope="col" class="n">predicted loss</th><th scope="col">judged by</th>{{/isSearch}}</tr></thead>
    <tbody>
    {{#rows}}
    <tr><th scope="row" class="n">{{number}}</th><td class="n">{{weights}}</td><td class="n">{{drift}}</td><td>{{#isPassed}}<span class="pass" aria-hidden="true">●</span>{{/isPassed}}{{^isPassed}}<span class="refuse" aria-hidden="true">✕</span>{{/isPassed}} {{verdict}}</td><td class="n">{{use}}</td>{{#isSearch}}<td class="n">{{loss}}</td><td>{{judge}}</td>{{/isSearch}}</tr>
    {{/rows}}
    </tbody>
    </table>
    </div>
    </section>
    """#

  static let histogram = #"""
    <section aria-labelledby="{{anchor}}-histogram">
    <h{{part}} id="{{anchor}}-histogram">{{#isCosine}}How far each input turned{{/isCosine}}{{^isCosine}}How far each output moved{{/isCosine}}</h{{part}}>
    <figure>
    <svg class="plot" role="img" aria-label="{{label}}" width="100%" height="272">
    {{#bars}}
    <rect class="bar" x="{{x}}" y="{{y}}" width="{{width}}" height="{{height}}"/>
    {{/bars}}
    <line class="axis" x1="0" x2="100%" y1="240" y2="240"/>
    {{#ticks}}
    <text class="tick" text-anchor="{{anchor}}" x="{{x}}" y="262">{{label}}</text>
    {{/ticks}}
    {{#marks}}
    <line class="{{#isLimit}}limit own{{/isLimit}}{{^isLimit}}mean{{/isLimit}}" x1="{{x}}" x2="{{x}}" y1="{{textY}}" y2="240"/><text class="note{{#isLimit}} own{{/isLimit}}" text-anchor="{{anchor}}" x="{{x}}" y="{{textY}}">{{label}}</text>
    {{/marks}}
    </svg>
    <figcaption>{{#isCosine}}Inputs by the cosine of their embeddings, as trained with compressed; 1 is no change.{{/isCosine}}{{^isCosine}}Inputs by the largest change of an output; 0 is no change.{{/isCosine}}</figcaption>
    </figure>
    <details>
    <summary>The same as a table</summary>
    <div class="scroll" role="group" aria-label="Inputs by range" tabindex="0">
    <table>
    <thead><tr><th scope="col">range</th><th scope="col" class="n">inputs</th></tr></thead>
    <tbody>
    {{#rows}}
    <tr><th scope="row">{{range}}</th><td class="n">{{count}}</td></tr>
    {{/rows}}
    </tbody>
    </table>
    </div>
    </details>
    </section>
    """#

  static let layers = #"""
    <section aria-labelledby="{{anchor}}-layers">
    <h{{part}} id="{{anchor}}-layers">Bits and bytes of each layer</h{{part}}>
    <p class="muted">{{count}}, {{total}}. A bar is as long as its layer has bytes; open it for its weights.</p>
    <p class="keys">
    {{#keys}}
    <span class="key"><span class="swatch {{style}}" aria-hidden="true"></span> {{label}}</span>
    {{/keys}}
    </p>
    <div class="layers">
    {{#layers}}
    <details>
    <summary><span class="layer"><bdi>{{name}}</bdi></span><span class="bars" aria-hidden="true">{{#pieces}}<span class="{{style}}" style="width:{{width}}"></span>{{/pieces}}</span><span class="figures">{{bytes}}<span class="muted">, {{share}}, {{bits}} bits</span></span></summary>
    <div class="scroll" role="group" aria-label="Weights of {{name}}" tabindex="0">
    <table>
    <thead><tr><th scope="col">weight</th><th scope="col">shape</th><th scope="col">scheme</th><th scope="col" class="n">bits</th><th scope="col" class="n">bytes</th>{{#hasErrors}}<th scope="col" class="n">error</th>{{/hasErrors}}</tr></thead>
    <tbody>
    {{#weights}}
    <tr><th scope="row"><bdi>{{name}}</bdi></th><td>{{shape}}</td><td><bdi>{{scheme}}</bdi></td><td class="n">{{bits}}</td><td class="n">{{bytes}}</td>{{#hasErrors}}<td class="n">{{error}}</td>{{/hasErrors}}</tr>
    {{/weights}}
    </tbody>
    </table>
    </div>
    </details>
    {{/layers}}
    </div>
    </section>
    """#
}
