import StrictJSON

/// The name of a tensor, compared, hashed and ordered by its UTF-8 bytes.
///
/// Two tensors of a file may differ in nothing but the Unicode spelling of their names ("é" as one
/// scalar and as two); `String` takes such names for the same.
package struct TensorName: Hashable, Sendable {
  private let exact: ExactString

  package init(_ text: String) { exact = ExactString(text) }

  /// The name as it is in the file.
  package var text: String { exact.string }
}

extension TensorName: Comparable {
  package static func < (left: TensorName, right: TensorName) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension TensorName: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}

extension TensorName: CustomStringConvertible {
  package var description: String { text }
}

/// A tensor's name in single quotes, fit for a message on one line.
package func quoted(_ name: TensorName) -> String { quoted(name.text) }
