import Preprocessing

extension Architecture {
  /// What goes before every text; nil where nothing does.
  package var promptText: String? { preparation.prompt.isEmpty ? nil : preparation.prompt }
}
