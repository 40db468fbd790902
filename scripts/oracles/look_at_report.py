"""Looks at a page of `--report` in headless Chromium, light and dark, wide and on a phone.

usage: look_at_report.py REPORT.html [FOLDER for screenshots]

Prints one object of JSON: what is on the page, and every fault that was found. Needs nothing but
Python and Debian's chromium.
"""

import json, os, sys

from devtools import browser

# Texts whose colours are too near to their background, or that are too small; a background is the
# nearest that is not see-through.
LOOKS = """(() => {
  const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m };
  const light = c => c.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => { for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0.99) return c } return [255, 255, 255, 1] };
  const faults = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0, least = 99;
  document.querySelectorAll('details').forEach(d => d.open = true);
  for (let node; node = walker.nextNode();) {
    const e = node.parentElement, text = node.textContent.trim();
    if (!text || e.closest('style,title')) continue;
    const style = getComputedStyle(e), svg = e.closest('svg');
    const ink = parse(svg ? style.fill : style.color), paper = behind(svg ? svg.parentElement : e);
    const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    count += 1; least = Math.min(least, ratio);
    if (ratio < 4.5) faults.push(`contrast ${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
    if (parseFloat(style.fontSize) < 14) faults.push(`${style.fontSize}: ${text.slice(0, 40)}`);
  }
  return { count, least, faults };
})()"""

# What reaches beyond the width of the page: nothing may, but inside a region that scrolls.
WIDTHS = """(() => {
  const width = document.documentElement.clientWidth, faults = [];
  document.querySelectorAll('details').forEach(d => d.open = true);
  if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  for (const e of document.body.querySelectorAll('*')) {
    if (e.closest('.scroll') && !e.matches('.scroll') || e.closest('.skip,.hidden,pre')) continue;
    const box = e.getBoundingClientRect();
    if (box.width && box.right > width + 1) faults.push(`${e.tagName} ${e.className.baseVal ?? e.className}: ${Math.round(box.right)}`);
  }
  for (const text of document.querySelectorAll('svg.plot text')) {
    const box = text.getBoundingClientRect(), plot = text.closest('svg.plot').getBoundingClientRect();
    if (box.left < plot.left - 1 || box.right > plot.right + 1) faults.push(`cut off: ${text.textContent}`);
  }
  return { width, faults };
})()"""

# The page as programs read it.
STRUCTURE = """(() => {
  const all = s => [...document.querySelectorAll(s)], faults = [];
  const levels = all('h1,h2,h3,h4').map(h => +h.tagName[1]);
  levels.forEach((l, i) => { if (i && l > levels[i - 1] + 1) faults.push(`a heading of level ${l} follows ${levels[i - 1]}`) });
  if (all('h1').length !== 1) faults.push(`${all('h1').length} headings of level 1`);
  if (all('main').length !== 1) faults.push('no one main part');
  if (document.documentElement.lang !== 'en') faults.push('no language');
  if (!document.title.trim()) faults.push('no title');
  const ids = all('[id]').map(e => e.id);
  if (new Set(ids).size !== ids.length) faults.push('an id occurs twice');
  for (const e of all('[aria-labelledby]')) if (!document.getElementById(e.getAttribute('aria-labelledby'))) faults.push('a label is missing');
  for (const a of all('a[href]')) if (!document.getElementById(a.getAttribute('href').slice(1))) faults.push(`no place for ${a.getAttribute('href')}`);
  for (const th of all('th')) if (!th.scope) faults.push(`a heading of a table without scope: ${th.textContent}`);
  for (const img of all('img')) if (!img.alt || !img.complete || !img.naturalWidth) faults.push(`a picture without words or bytes: ${img.alt}`);
  for (const svg of all('svg.plot')) if (svg.getAttribute('role') !== 'img' || !svg.getAttribute('aria-label')) faults.push('a drawing without a name');
  for (const e of all('.scroll')) if (!e.getAttribute('aria-label') || e.tabIndex !== 0) faults.push('a region that scrolls without a name or a way in');
  for (const e of all('script,iframe,object,embed,link:not([rel=icon]),form,input')) faults.push(`there is a ${e.tagName}`);
  for (const e of all('*')) for (const a of e.attributes) if (/^on/i.test(a.name)) faults.push(`${e.tagName} has ${a.name}`);
  return { faults, title: document.title, headings: all('h1,h2,h3').map(h => h.textContent),
    points: all('svg.plot .point').length, candidates: all('[aria-label="Every candidate"] tbody tr').length,
    limits: all('svg.plot line.limit').length, bars: all('svg.plot rect.bar').length,
    layers: all('.layers > details').length, pairs: all('.pairs > li').length, images: all('img').length,
    models: all('article').length, regions: all('.scroll').length,
    untouched: typeof window.touched === 'undefined' };
})()"""

# Parts that a screen reader stops at, each with a name.
NAMED = {"img", "image", "region", "table", "link", "navigation", "heading", "article", "graphics-document"}
UNNAMED_ALLOWED = {"table"}


def names(page):
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    found, faults = {}, []
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in NAMED:
            continue
        found[role] = found.get(role, 0) + 1
        if not node.get("name", {}).get("value") and role not in UNNAMED_ALLOWED:
            faults.append(f"a part without a name: {role}")
    return found, faults


def said(page):
    """Messages and requests: there are none."""
    faults = [json.dumps(e["params"])[:300] for e in page.named(
        "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")]
    asked = [e["params"]["request"]["url"] for e in page.named("Network.requestWillBeSent")]
    loaded = [url for url in asked if not url.startswith("data:")]
    return faults + [f"asked for {url}" for url in loaded[1:]]


def main():
    path, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    report = {"faults": []}
    with browser() as page:
        for name, width, dark in [("light", 1000, False), ("dark", 1000, True), ("phone", 360, False),
                                  ("phone-dark", 360, True)]:
            page.open(path, width=width, dark=dark)
            if folder:
                page.picture(os.path.join(folder, f"{name}.png"))
            report["faults"] += [f"{name}: {fault}" for fault in said(page)]
            structure = page.evaluate(STRUCTURE)
            report["faults"] += structure.pop("faults")
            report |= structure
            roles, faults = names(page)
            report["roles"] = roles
            report["faults"] += faults
            for script in [WIDTHS, LOOKS]:
                found = page.evaluate(script)
                report["faults"] += [f"{name}: {fault}" for fault in found.pop("faults")]
                report[f"{name} {'looks' if 'least' in found else 'width'}"] = found
    print(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
