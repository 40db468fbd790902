/// Texts of one batch as the tensors of a text encoder, padded on the right.
package struct TextTensors: Equatable, Sendable {
  /// A tensor, by the name that models have for it.
  package enum Name: String, CaseIterable, Sendable {
    case ids = "input_ids"
    case mask = "attention_mask"
    case types = "token_type_ids"
  }

  /// [texts, length], row-major; padding at the end of each row.
  package private(set) var ids: [Int32] = []
  /// [texts, length]: 1 for tokens, 0 for padding.
  package private(set) var mask: [Int32] = []
  /// [texts, length]: the type of each token; 0 for padding.
  package private(set) var types: [Int32] = []

  /// - Parameters:
  ///   - texts: none longer than `length`.
  ///   - length: tokens of a row, padding included.
  ///   - padding: the id that fills rows up.
  package init(_ texts: [TextTokens], length: Int, padding: Int32) {
    ids.reserveCapacity(texts.count * length)
    mask.reserveCapacity(texts.count * length)
    for text in texts {
      let missing = length - text.count
      let zeros = [Int32](repeating: 0, count: missing)
      ids += text.ids + Array(repeating: padding, count: missing)
      mask += Array(repeating: 1, count: text.count) + zeros
      types += text.allTypes + zeros
    }
  }

  /// A tensor.
  package subscript(name: Name) -> [Int32] {
    switch name {
    case .ids: ids
    case .mask: mask
    case .types: types
    }
  }

  /// Places that a text needs: one without tokens takes one, which the mask hides.
  package static func places(of text: TextTokens) -> Int { max(1, text.count) }

  /// The length that a text is padded to: the least that it fits into.
  ///
  /// - Parameters:
  ///   - places: that it needs.
  ///   - lengths: that the model takes, ascending.
  package static func length(for places: Int, among lengths: [Int]) -> Int {
    lengths.first { $0 >= places } ?? lengths.last ?? places
  }
}
