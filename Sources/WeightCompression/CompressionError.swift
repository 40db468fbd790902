import StrictJSON
package import Weights

/// Why weights cannot be compressed as requested.
package enum CompressionError: Error, Equatable, CustomStringConvertible {
  case unknownScheme(String)
  /// Another number of bits than integers have.
  case bitsOfIntegers(Int, scheme: String, has: Int)
  case bitsMissing
  case unknownPaletteBits(Int)
  case unknownGranularity(String, scheme: String, choices: String)
  case invalidGroupSize(Int)
  case invalidBlockSize(Int)
  /// A number of elements that palette entries cannot have.
  case unknownWidth(Int)
  /// Groups of channels that vectors do not fill.
  case groupOfVectors(size: Int, width: Int)
  /// A first part of a table that has no rows.
  case invalidSplit(rows: Int)
  /// A split without its rows, or without a scheme for each part.
  case partsMissing
  /// What the parts of a table cannot be.
  case splitInto(String)
  /// An option that the scheme does not have.
  case optionNotTaken(String, scheme: String, takers: String)
  case unknownChoice(String, option: String, choices: String)
  case groupSizeWithoutGroups(scheme: String, granularity: String?)
  /// Every tensor that cannot be compressed, in the order in which the graph uses them.
  case refused([TensorRefusal])
  /// Every reason why the recipe of a name does not fit the model.
  case unfitRecipe(String, [RecipeFault])
  /// A name for which compressed weights have no tensor.
  case unknownTensor(TensorName)
  /// Stored parts whose sizes do not fit the tensor's shape.
  case inconsistent(tensor: TensorName, part: String, count: Int, expected: Int)
  /// A stored number of palettes that does not divide the channel axis.
  case groupCount(tensor: TensorName, groups: Int, channels: Int)
  /// Stored blocks that do not divide the shape.
  case blocks(tensor: TensorName, blocks: [Int], shape: [Int])

  package var description: String {
    switch self {
    case .unknownScheme(let word):
      "unknown scheme '\(word)'; choose \(SchemeSpelling.list())"
    case .bitsOfIntegers(let bits, let scheme, let has):
      "\(scheme) has \(has) bits, not \(bits); for \(bits) bits use palettize"
    case .bitsMissing: "palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"
    case .unknownPaletteBits(let bits):
      "a palette cannot have \(bits) bits; choose 1, 2, 3, 4, 6 or 8"
    case .unknownGranularity(let word, let scheme, let choices):
      "unknown granularity '\(word)' of \(scheme); choose \(choices)"
    case .invalidGroupSize(let size): "group size \(size) is not a positive number of channels"
    case .invalidBlockSize(let size): "block size \(size) is not a positive number of inputs"
    case .unknownWidth(let width):
      "a palette cannot have entries of \(width) elements; choose 1, 2 or 4"
    case .groupOfVectors(let size, let width):
      "groups of \(size) channels cannot be cut into vectors of \(width)"
    case .invalidSplit(let rows):
      "a table cannot be split after \(Figures.count(rows, "row")); "
        + "choose at least 1 and fewer than it has"
    case .partsMissing:
      "split is for recipes and projects, which give it 'rows', and schemes as 'first' and 'rest'"
    case .splitInto(let label):
      "the parts of a split table are integers or palettes, not \(label)"
    case .optionNotTaken(let option, let scheme, let takers):
      scheme + (scheme == "none" ? " keeps the weights and" : "")
        + " takes no \(option); for a \(option) use \(takers)"
    case .unknownChoice(let word, let option, let choices):
      "unknown \(option) '\(word)'; choose \(choices)"
    case .groupSizeWithoutGroups(let scheme, let granularity):
      "a group size needs palettize with the granularity per-group or integers with per-block, not "
        + [scheme, granularity].compactMap(\.self).joined(separator: " ")
    case .refused(let refusals): refusals.map(\.description).joined(separator: "\n")
    case .unfitRecipe(let name, let faults):
      faults.map { "recipe '\(name)': \($0)" }.joined(separator: "\n")
    case .unknownTensor(let name): "compressed weights: no tensor '\(name)'"
    case .inconsistent(let tensor, let part, let count, let expected):
      "tensor '\(tensor)': \(count) \(part), its shape needs \(expected)"
    case .groupCount(let tensor, let groups, let channels):
      "tensor '\(tensor)': \(groups) groups of channels, its shape needs a divisor of \(channels)"
    case .blocks(let tensor, let blocks, let shape):
      "tensor '\(tensor)': blocks \(blocks) do not divide its shape \(shape)"
    }
  }
}

/// Why one tensor cannot be compressed.
package struct TensorRefusal: Error, Hashable, CustomStringConvertible {
  /// Why the tensor is refused.
  package enum Fault: Hashable, Sendable {
    /// The graph uses it, the source does not have it.
    case missing
    case shape(stored: [Int], needed: [Int])
    /// The source returned another number of values than its shape says.
    case valueCount(Int, needed: Int)
    /// NaN or infinite values; `firstIndex` is flat, row-major.
    case nonFinite(count: Int, firstIndex: Int)
    /// Values that a half cannot hold; `largest` is the first of the greatest magnitude, at the flat
    /// index `index`.
    case tooLarge(count: Int, largest: Float, index: Int)
    /// Groups of `size` do not fill the channel axis.
    case groups(size: Int, channels: Int)
    /// Blocks of `size` do not fill the input axis.
    case blocks(size: Int, inputs: Int)
    /// Blocks along an input axis, for a tensor without one.
    case noInputs
    /// Vectors of `width` channels do not fill the channel axis.
    case vectors(Int, channels: Int)
    /// More distinct values than the largest palette has entries.
    case distinctValues
    /// Only tables of tokens, [rows, width], are split.
    case splitOfNoTable
    /// A first part that leaves no rows for the other.
    case split(rows: Int, of: Int)
    /// A first part whose values do not fill groups of eight.
    case unevenSplit(rows: Int, width: Int)
    /// Thresholds, for which a scheme is not.
    case thresholds
    /// A fault of some rows, which a scheme of their own is for.
    indirect case part(Range<Int>, Fault)
  }

  package let name: TensorName
  package let fault: Fault

  package var description: String { "tensor '\(name)': \(fault.reason)" }
}

extension TensorRefusal.Fault {
  /// The fault and the settings that would fit, in words that follow the tensor's name.
  package var reason: String { cause + (mend.map { "; use \($0)" } ?? "") }

  /// The fault.
  package var cause: String {
    switch self {
    case .missing: return "the graph uses it, but the weights have no tensor of this name"
    case .shape(let stored, let needed): return "has shape \(stored), the graph needs \(needed)"
    case .valueCount(let count, let needed):
      return "has \(Figures.count(count, "value")), its shape needs \(needed)"
    case .nonFinite(let count, let first):
      let values = count == 1 ? "value is" : "values are"
      return "\(count) \(values) not finite, the first at flat index \(first)"
    case .tooLarge(let count, let largest, let index):
      return "\(count) \(count == 1 ? "value does" : "values do") not fit float16, "
        + "the largest is \(Figures.text(largest)) at flat index \(index), float16 holds 65504"
    case .groups(let size, let channels):
      return "\(channels) channels are no multiple of the group size \(size)"
    case .blocks(let size, let inputs):
      return "\(inputs) inputs are no multiple of the block size \(size)"
    case .noInputs: return "has no input axis to cut into blocks"
    case .vectors(let width, let channels):
      return "\(channels) channels cannot be cut into vectors of \(width)"
    case .distinctValues:
      return "has more than 256 distinct values, more than a palette can hold"
    case .splitOfNoTable: return "is not a table of tokens; only those are split"
    case .split(let rows, let all):
      return "has \(Figures.count(all, "row")), and is split after \(rows)"
    case .unevenSplit(let rows, let width):
      return "is split after \(Figures.count(rows, "row")) of \(width) values, "
        + "which do not fill groups of eight"
    case .thresholds: return "holds thresholds of trees, which this scheme is not for"
    case .part(let rows, let fault): return "rows from \(rows.lowerBound) on: \(fault.cause)"
    }
  }

  /// A setting that fits instead; nil if only another file would help.
  private var mend: String? {
    switch self {
    case .missing, .shape, .valueCount, .nonFinite, .tooLarge: nil
    case .groups(let size, let channels): Self.suggestion(size, channels)
    case .blocks(let size, let inputs):
      Self.suggestion(size, inputs, of: "block", otherwise: "per-channel")
    case .noInputs: "per-channel"
    case .vectors: "scalar entries"
    case .distinctValues: "palettize"
    case .splitOfNoTable: "one scheme for all its rows"
    case .split(_, let all): all > 1 ? "1 to \(all - 1) rows" : "one scheme for all its rows"
    case .unevenSplit(_, let width):
      "a multiple of \(width % 4 == 0 ? 2 : width % 2 == 0 ? 4 : 8) rows"
    case .thresholds: "float16, int8, or palettize with bits alone"
    case .part(_, let fault): fault.mend
    }
  }

  /// The divisors of `channels` nearest to `size`, or the granularity that always fits.
  private static func suggestion(
    _ size: Int, _ channels: Int, of kind: String = "group", otherwise: String = "per-tensor"
  ) -> String {
    let below = stride(from: min(size, channels), to: 1, by: -1).first { channels % $0 == 0 }
    let above = size < channels ? (size + 1..<channels).first { channels % $0 == 0 } : nil
    let sizes = [below, above].compactMap { $0.map(String.init) }
    guard !sizes.isEmpty else { return otherwise }
    return "a \(kind) size of \(sizes.joined(separator: " or ")), or \(otherwise)"
  }
}
