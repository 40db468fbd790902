package import Gate

/// The files of one source check: outputs made elsewhere, and the inputs they are of.
package struct SourceCheckPaths: Hashable {
  package let vectors: String
  package let inputs: String

  /// - Parameter path: the path of a pattern for one model.
  package init(_ options: SourceCheckOptions, path: (PathPattern) -> String) {
    vectors = path(options.vectors.value)
    inputs = path(options.inputs.value)
  }

  /// Reads both files.
  package func open() throws -> SourceCheck { try SourceCheck(vectors: vectors, inputs: inputs) }
}
