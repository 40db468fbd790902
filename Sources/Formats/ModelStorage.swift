package import Graph
package import WeightCompression

/// How the weights of a model are stored that was opened.
package protocol ModelStorage {
  /// The format, with the choices that the model was made with.
  ///
  /// - Parameter model: as trained.
  func format(of model: Model) -> any Format
  /// How one weight is stored; nil if the model has no weight of that name.
  ///
  /// - Parameter reference: its name in the model, and its shape and role there.
  func stored(_ reference: WeightReference) throws -> StoredWeight?
}

/// How one weight is stored.
package struct StoredWeight: Equatable, Sendable {
  /// Nil if it is uncompressed. How scales were found leaves no trace: the usual way is taken.
  package let scheme: Scheme?
  /// Bytes of its numbers; 0 of a weight that is stored with another.
  package let byteCount: Int

  init(scheme: Scheme?, byteCount: Int) {
    self.byteCount = byteCount
    self.scheme = scheme.map(Self.usual)
  }

  private static func usual(_ scheme: Scheme) -> Scheme {
    switch scheme {
    case .linear(let linear):
      .linear(
        LinearScheme(
          linear.integers, mode: linear.mode, granularity: linear.granularity,
          range: LinearScheme.defaultRange(of: linear.integers)))
    case .split(let split):
      .split(SplitScheme(rows: split.rows, first: usual(split.first), rest: usual(split.rest)))
    case .palette, .unique, .narrow: scheme
    }
  }
}

extension ModelFormat {
  /// How the weights of an opened model are stored; nil for weights as trained, and of other tools.
  package static func storage(ofOpened model: Model) -> (any ModelStorage)? {
    allCases.lazy.compactMap { $0.type.storage(ofOpened: model) }.first
  }
}
