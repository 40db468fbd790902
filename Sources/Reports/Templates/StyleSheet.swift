/// The look of a page: light and dark, from 320 pixels of width on.
///
/// Every text has a contrast of 4.5 to 1 or more, and 14 pixels or more.
enum StyleSheet {
  static let text = #"""

    :root{color-scheme:light dark;--back:#fff;--panel:#f5f7f9;--text:#1c2127;--muted:#56606b;--line:#d5dbe1;--accent:#0a58a6;--pass:#13662b;--refuse:#a8162a;--passback:#e5f4e9;--refuseback:#fdeaec;--w2:#7b3fa0;--w3:#3d5bb0;--w4:#0a7d93;--w6:#2f8f46;--w8:#b5851b;--w16:#8a929b}
    @media (prefers-color-scheme:dark){:root{--back:#0e1318;--panel:#171e25;--text:#e7ecf1;--muted:#a2adb8;--line:#323c46;--accent:#7ab8ff;--pass:#6fd08a;--refuse:#ff9a9a;--passback:#12301c;--refuseback:#3a171b;--w2:#b98ad8;--w3:#8ea6ec;--w4:#4fc0d4;--w6:#74c988;--w8:#e0b552;--w16:#8d97a2}}
    *{box-sizing:border-box}
    html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
    @media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
    body{margin:0 auto;max-width:60rem;padding:0 1rem 3rem;background:var(--back);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
    a{color:var(--accent)}
    :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
    .skip{position:absolute;left:-100vw}
    .skip:focus{left:1rem;top:.5rem;padding:.25rem .75rem;background:var(--back)}
    .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
    h1,h2,h3{line-height:1.25;text-wrap:balance;margin:2.25rem 0 .5rem}
    h1{font-size:1.75rem;margin-top:.25rem}
    h2{font-size:1.25rem}
    h3{font-size:1.1rem}
    article+article{margin-top:3.5rem;border-top:4px solid var(--line)}
    article h2[id]:first-child,.top h2{font-size:1.5rem}
    p,ul,ol,dl,figure{margin:.5rem 0}
    .kicker{margin:1.5rem 0 0;color:var(--muted)}
    .muted,figcaption,footer{color:var(--muted)}
    code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.9rem}
    .badge{display:inline-block;padding:.05rem .6rem;border-radius:1rem;border:1px solid currentColor;font-weight:600}
    .badge.large{font-size:1.1rem;padding:.2rem .9rem}
    .pass{color:var(--pass)}.refuse{color:var(--refuse)}
    .badge.pass{background:var(--passback)}.badge.refuse{background:var(--refuseback)}
    .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:1.25rem 0}
    .cards div{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.6rem .9rem}
    .cards dt{color:var(--muted)}
    .cards dd{margin:0}
    .cards strong{display:block;font-size:1.4rem;line-height:1.3;font-variant-numeric:tabular-nums}
    .cards span{color:var(--muted);font-size:.9rem}
    .panel{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.25rem 1rem;margin:1rem 0}
    .why{border-left:5px solid var(--refuse)}
    .why h2,.why h3{margin-top:.75rem}
    li{margin:.3rem 0}
    .tag{background:var(--panel);border:1px solid var(--line);border-radius:.3rem;padding:0 .35rem;white-space:nowrap}
    .scroll{overflow-x:auto;max-width:100%}
    table{border-collapse:collapse;width:100%;font-size:.95rem;overflow-wrap:normal}
    caption{text-align:left;color:var(--muted);padding:.25rem 0}
    th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line)}
    th{font-weight:600}
    thead th{color:var(--muted);font-weight:500;white-space:nowrap}
    tbody th{font-weight:500}
    .metrics td:nth-child(3){min-width:8rem}
    .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
    .use{display:inline-block;width:5rem;height:.6rem;border-radius:.3rem;background:var(--line);overflow:hidden;vertical-align:middle;margin-right:.35rem}
    .use span{display:block;height:100%;background:var(--pass)}
    .use.over span{background:var(--refuse)}
    .plot{display:block;margin-top:.75rem;font-size:14px}
    .plot text{fill:var(--text);paint-order:stroke;stroke:var(--back);stroke-width:4px;stroke-linejoin:round}
    .plot .tick{fill:var(--muted)}
    .plot .note{fill:var(--muted)}
    .plot .note.own{fill:var(--refuse);font-weight:600}
    .plot .number{font-weight:600}
    .grid{stroke:var(--line)}
    .axis{stroke:var(--muted)}
    .limit{stroke:var(--muted);stroke-dasharray:2 5}
    .limit.own{stroke:var(--refuse);stroke-width:2;stroke-dasharray:7 4}
    .mean{stroke:var(--text);stroke-width:2}
    .budget{stroke:var(--accent);stroke-width:2;stroke-dasharray:7 4}
    .bar{fill:var(--accent)}
    circle.passed{fill:var(--pass)}
    path.refused{stroke:var(--refuse);stroke-width:3;stroke-linecap:round}
    .ring{fill:none;stroke:var(--text);stroke-width:1.5}
    .key{display:inline-flex;align-items:center;gap:.35rem;margin-right:1rem}
    .swatch{width:.9rem;height:.9rem;border-radius:.2rem}
    details{margin:.25rem 0}
    summary{cursor:pointer;padding:.2rem 0}
    .layers summary{display:grid;grid-template-columns:minmax(8rem,14rem) 1fr minmax(11rem,auto);gap:.15rem .75rem;align-items:center;border-bottom:1px solid var(--line)}
    .layers details[open] summary{font-weight:600}
    .layers details[open]{background:var(--panel);padding:0 .5rem}
    .bars{display:flex;height:1rem}
    .bars span{min-width:2px}
    .figures{font-variant-numeric:tabular-nums}
    .w2{background:var(--w2)}.w3{background:var(--w3)}.w4{background:var(--w4)}.w6{background:var(--w6)}.w8{background:var(--w8)}.w16{background:var(--w16)}
    .pairs,.drifted{padding-left:1.75rem}
    .pairs li{margin:.75rem 0;border-bottom:1px solid var(--line);padding-bottom:.75rem}
    .pairs .figures{margin:0}
    .sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.5rem 1.5rem}
    q{white-space:pre-wrap}
    img{border-radius:.4rem;border:1px solid var(--line);max-width:100%}
    .facts div{margin:.5rem 0}
    .facts dt{color:var(--muted)}
    .facts dd{margin:0}
    .hash,.word{overflow-wrap:anywhere;word-break:break-all}
    pre{background:var(--panel);border:1px solid var(--line);border-radius:.6rem;padding:.75rem;overflow-x:auto;white-space:pre-wrap}
    footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:.75rem}
    .key svg{flex:none}
    @media (max-width:40rem){.use{display:none}.layers summary{grid-template-columns:1fr auto}.layers .bars{grid-column:1/-1;grid-row:2}h1{font-size:1.4rem}}
    @media print{.skip{display:none}details{display:block}}

    """#
}
