package import Graph
package import Weights

/// The planned compression of one weight; only its distinct values may have been read.
package struct PlannedTensor: Hashable, Sendable {
  package let reference: WeightReference
  /// The requested scheme; nil if the weight stays uncompressed.
  package let requested: Scheme?
  /// The scheme it would be stored by, which does not say how scales are found.
  package let scheme: Scheme?
  /// Bits of the palette of distinct values, if it is requested and they are known.
  private let uniqueBits: Int?
  /// Type of the stored floats.
  package let floats: FloatType
  /// The deciding rule of a recipe, and why its first choice does not fit; nil without a recipe.
  package let match: RuleMatch?
  /// The name of an earlier weight that holds the same numbers and is stored in the same way: this
  /// one is stored with it.
  package let sharedWith: TensorName?

  package var name: TensorName { reference.name }
  package var shape: [Int] { reference.shape }
  package var role: WeightRole { reference.role }

  /// The rule that decided, in words for listings; nil without a recipe.
  package var note: String? { match?.words }

  /// A phrase for listings: the scheme's, or "kept" of an uncompressed weight.
  package var schemeLabel: String {
    sharedWith.map { "same as '\($0)'" } ?? scheme?.label ?? "kept"
  }

  /// Bits per stored element, or per vector of them, without scales and palettes.
  package var bits: Int { scheme?.own.storedBits(floats) ?? 8 * floats.byteCount }

  /// Bytes as stored, scales and palettes included.
  package var byteCount: Int {
    guard sharedWith == nil else { return 0 }
    // Which numbers they become is not known yet.
    if role == .threshold, let scheme, ThresholdScheme(scheme) != nil {
      return BitPacking.byteCount(reference.elementCount, bits: bits)
    }
    return scheme?.own.storedBytes(of: reference, floats)
      ?? floats.byteCount * reference.elementCount
  }

  /// Plans a scheme for a weight whose shape fits it.
  ///
  /// - Parameters:
  ///   - requested: nil if the weight stays uncompressed.
  ///   - uniqueBits: of the palette of distinct values, if that is asked for.
  ///   - match: the rule of a recipe that decided.
  init(
    _ reference: WeightReference, requested: Scheme?, uniqueBits: Int? = nil, floats: FloatType,
    match: RuleMatch? = nil, sharedWith: TensorName? = nil
  ) {
    self.reference = reference
    self.requested = requested
    self.uniqueBits = uniqueBits
    self.floats = floats
    self.match = match
    self.sharedWith = sharedWith
    guard reference.role != .threshold else {
      scheme = requested
      return
    }
    scheme = (uniqueBits.map { .palette(bits: $0, .perTensor) } ?? requested)?.own
      .stored(for: reference)
  }

  /// The same, stored with another weight.
  func shared(with first: TensorName?) -> PlannedTensor {
    PlannedTensor(
      reference, requested: requested, uniqueBits: uniqueBits, floats: floats, match: match,
      sharedWith: first)
  }

  /// The same for some channels of the weight.
  func resized(to reference: WeightReference) -> PlannedTensor {
    PlannedTensor(
      reference, requested: requested, uniqueBits: uniqueBits, floats: floats, match: match)
  }

  /// The plan that a compressed weight followed.
  ///
  /// - Parameter first: the weight it is stored with, if there is one.
  init(of tensor: CompressedTensor, sharedWith first: TensorName? = nil) {
    self.init(
      tensor.reference, requested: tensor.scheme, floats: tensor.floats, sharedWith: first)
  }
}

extension WeightCompressor {
  /// Plans the compression of each weight from its shape; values are read only of weights whose
  /// distinct values are asked for.
  ///
  /// - Throws: `CompressionError.refused` listing every tensor that does not take its scheme, or
  ///   `.unfitRecipe` listing everything that keeps a recipe from fitting the model; errors of the
  ///   source.
  package static func plan(
    weights: [WeightReference], from source: any WeightSource, options: CompressionOptions
  ) throws -> [PlannedTensor] {
    var uniqueBits: [TensorName: Int] = [:]
    let assignments = try options.assignments(of: weights) { reference in
      guard source.shape(of: reference.name) != nil else { return nil }
      let bits = try Palettizer.uniqueBits(
        of: reference.name, in: source, options.floats(of: reference))
      uniqueBits[reference.name] = bits
      return 1 << (bits ?? 9)
    }
    let planned = assignments.map { assignment in
      let reference = assignment.reference
      return PlannedTensor(
        reference, requested: assignment.scheme,
        uniqueBits: assignment.scheme?.own.isLossless == true
          ? uniqueBits[reference.name] : nil,
        floats: options.floats(of: reference), match: assignment.match)
    }
    return try sharing(planned, in: source)
  }

  /// The same plan, in which a weight that equals an earlier one and is stored alike shares it.
  /// Small weights are not worth it.
  private static func sharing(
    _ planned: [PlannedTensor], in source: any WeightSource
  ) throws -> [PlannedTensor] {
    let tied = try TiedWeights(
      planned.map(\.reference).filter(\.role.isCompressible), in: source)
    guard !tied.groups.isEmpty else { return planned }
    return planned.map { tensor in
      let name = tied.first(of: tensor.name)
      let first = planned.first { $0.name == name }
      guard tensor.role.isCompressible, let first, first.name != tensor.name,
        first.role == tensor.role, first.requested == tensor.requested,
        first.floats == tensor.floats
      else { return tensor }
      return tensor.shared(with: first.name)
    }
  }
}
