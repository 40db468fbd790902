import Mustache

/// The templates, and what fills them.
struct Templates {
  private let library: MustacheLibrary
  private let page: MustacheTemplate

  /// Each template by the name that others call it by.
  private static let all = [
    "model": ModelTemplate.text, "frontier": PlotTemplates.frontier,
    "histogram": PlotTemplates.histogram, "layers": PlotTemplates.layers,
    "worst": WorstTemplates.text, "input": WorstTemplates.input,
    "drifted": WorstTemplates.drifted, "origins": OriginTemplate.text,
  ]

  /// - Throws: errors of a template.
  init() throws {
    MustacheContentTypes.register(HostileText(), named: HostileText.name)
    var library = MustacheLibrary()
    for (name, text) in Templates.all { library.register(try Templates.parsed(text), named: name) }
    self.library = library
    page = try Templates.parsed(PageTemplate.text)
  }

  func page(_ view: PageView) -> String { page.render(view, library: library) }

  // Each template says how it escapes: what it calls does not take that over.
  private static func parsed(_ text: String) throws -> MustacheTemplate {
    try MustacheTemplate(string: "{{% CONTENT_TYPE:\(HostileText.name)}}" + text)
  }
}
