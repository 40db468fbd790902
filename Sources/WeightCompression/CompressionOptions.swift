package import Graph

/// A user's checked request: one scheme for all compressible weights, or a recipe.
package struct CompressionOptions: Hashable, Sendable {
  private enum Request: Hashable {
    /// For every weight that can be compressed; nil if they stay uncompressed.
    case scheme(Scheme?)
    case recipe(Recipe)
  }

  private let request: Request
  /// Type of the floats that the format stores.
  package let floats: FloatType

  /// Takes a scheme as it is; nil keeps all weights.
  package init(scheme: Scheme?, floats: FloatType = .float32) throws(CompressionError) {
    try scheme?.validate()
    request = .scheme(scheme)
    self.floats = floats
  }

  /// Takes a recipe as it is.
  package init(recipe: Recipe, floats: FloatType = .float32) throws(CompressionError) {
    try recipe.validate()
    request = .recipe(recipe)
    self.floats = floats
  }

  /// Reads user words, see `SchemeSpelling`.
  package init(words: SchemeSpelling, floats: FloatType = .float32) throws(CompressionError) {
    try self.init(scheme: try words.meaning(), floats: floats)
  }

  /// Parses the values of a user's options.
  ///
  /// - Parameters:
  ///   - scheme: one of `SchemeSpelling.schemes`; those without options of their own allow none of the
  ///     others.
  ///   - bits: needed by "palettize": 1, 2, 3, 4, 6 or 8; integers allow only their own width.
  ///   - granularity: for integers "per-tensor", "per-channel" (default of eight bits) or
  ///     "per-block" (default of four bits); for palettes "per-tensor" (default) or "per-group".
  ///   - groupSize: channels per palette with "per-group", default 16; inputs per scale with
  ///     "per-block", default 32.
  ///   - floats: type of the floats that the format stores.
  package init(
    scheme: String, bits: Int? = nil, granularity: String? = nil, groupSize: Int? = nil,
    floats: FloatType = .float32
  ) throws(CompressionError) {
    try self.init(
      words: SchemeSpelling(
        scheme: scheme, bits: bits, granularity: granularity, groupSize: groupSize),
      floats: floats)
  }

  /// The recipe; nil if one scheme is for all.
  package var recipe: Recipe? { if case .recipe(let recipe) = request { recipe } else { nil } }

  /// A phrase for listings: the scheme's, or the recipe's name and digest.
  package var label: String {
    switch request {
    case .scheme(let scheme): scheme.label
    case .recipe(let recipe): recipe.label
    }
  }

  /// Each choice by the name it has in a project file, and the type of the floats; of a recipe its
  /// name and the digest of its rules. Options that differ have other words.
  package var words: [String: String] {
    var words = ["floats": floats == .float16 ? "float16" : "float32"]
    switch request {
    case .scheme(let scheme): words.merge(SchemeSpelling(scheme).choices) { first, _ in first }
    case .recipe(let recipe):
      words["recipe"] = recipe.name
      words["rules"] = recipe.digest
    }
    return words
  }

  /// The scheme of a weight; nil if it stays uncompressed.
  ///
  /// - Parameter distinct: the weight's number of distinct values, which may decide on a fallback;
  ///   nil if unknown.
  package func scheme(of reference: WeightReference, distinct: Int? = nil) -> Scheme? {
    switch request {
    case .scheme(let scheme): reference.role.isCompressible ? scheme : nil
    case .recipe(let recipe): recipe.scheme(of: reference, distinct: distinct)
    }
  }

  /// Assigns a scheme to every weight of a model, in their order.
  ///
  /// - Parameter distinct: as for `Recipe.assign`.
  /// - Throws: `CompressionError.refused` or `.unfitRecipe` with every fault; errors of `distinct`.
  package func assignments(
    of weights: [WeightReference], distinct: (WeightReference) throws -> Int? = { _ in nil }
  ) throws -> [Assignment] {
    switch request {
    case .recipe(let recipe):
      let (assignments, faults) = try recipe.assign(weights, distinct: distinct)
      guard faults.isEmpty else { throw CompressionError.unfitRecipe(recipe.name, faults) }
      return assignments
    case .scheme(let scheme):
      // One rule for all, which no model needs to have weights for.
      let recipe = Recipe(rules: [RecipeRule(RecipeRule.Match(), scheme, isOptional: true)])
      let (assignments, faults) = try recipe.assign(weights, distinct: distinct)
      let refusals = faults.compactMap(\.refusal)
      guard refusals.isEmpty else { throw CompressionError.refused(refusals) }
      return assignments.map { Assignment($0.reference, scheme: $0.scheme) }
    }
  }

  /// Type of the floats stored for a weight.
  ///
  /// Means and scales of features are used before a model turns to float16, so they stay whole, and so do
  /// thresholds; leaves of trees are doubles in Core ML.
  package func floats(of weight: WeightReference) -> FloatType {
    [.statistic, .threshold].contains(weight.role) || weight.keepsFloats ? .float32 : floats
  }
}

extension RecipeFault {
  /// The fault as one weight's refusal, if it lies in the weight's shape or values.
  fileprivate var refusal: TensorRefusal? {
    guard case .unfit(let reference, _, let passed) = self, let first = passed.first else {
      return nil
    }
    return TensorRefusal(name: reference.name, fault: first.fault)
  }
}
