/// Why weights cannot be compressed as asked.
package enum CompressionError: Error, Equatable, CustomStringConvertible {
  case unknownScheme(String)
  case int4NotAvailable
  case bitsOfInt8(Int)
  case bitsMissing
  case unknownPaletteBits(Int)
  case unknownGranularity(String, scheme: String, choices: String)
  case invalidGroupSize(Int)
  /// Something asked of weights that are kept.
  case optionOfNone(String)
  case groupSizeWithoutGroups(scheme: String, granularity: String?)
  /// Every tensor that cannot be compressed, in the graph's order of use.
  case refused([TensorRefusal])
  /// A name asked of compressed weights that have no such tensor.
  case unknownTensor(String)
  /// Stored parts whose sizes do not fit the tensor's shape.
  case inconsistent(tensor: String, part: String, count: Int, expected: Int)
  /// A stored number of palettes that does not divide the channel axis.
  case groupCount(tensor: String, groups: Int, channels: Int)

  package var description: String {
    switch self {
    case .unknownScheme(let word): "unknown scheme '\(word)'; choose int8, palettize or none"
    case .int4NotAvailable: "int4 is not available yet; use int8, palettize or none"
    case .bitsOfInt8(let bits): "int8 has 8 bits, not \(bits); for \(bits) bits use palettize"
    case .bitsMissing: "palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"
    case .unknownPaletteBits(let bits):
      "a palette cannot have \(bits) bits; choose 1, 2, 3, 4, 6 or 8"
    case .unknownGranularity(let word, let scheme, let choices):
      "unknown granularity '\(word)' of \(scheme); choose \(choices)"
    case .invalidGroupSize(let size): "group size \(size) is not a positive number of channels"
    case .optionOfNone(let option):
      "none keeps the weights and takes no \(option); for a \(option) use int8 or palettize"
    case .groupSizeWithoutGroups(let scheme, let granularity):
      "a group size needs palettize with the granularity per-group, not "
        + [scheme, granularity].compactMap(\.self).joined(separator: " ")
    case .refused(let refusals): refusals.map(\.description).joined(separator: "\n")
    case .unknownTensor(let name): "compressed weights: no tensor '\(name)'"
    case .inconsistent(let tensor, let part, let count, let expected):
      "tensor '\(tensor)': \(count) \(part), its shape needs \(expected)"
    case .groupCount(let tensor, let groups, let channels):
      "tensor '\(tensor)': \(groups) groups of channels, its shape needs a divisor of \(channels)"
    }
  }
}

/// Why one tensor cannot be compressed.
package struct TensorRefusal: Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with the tensor.
  package enum Fault: Hashable, Sendable {
    /// The graph uses it, the source does not have it.
    case missing
    case shape(stored: [Int], needed: [Int])
    /// The source handed out another number of values than its shape says.
    case valueCount(Int, needed: Int)
    /// NaN or infinite values; `firstIndex` is flat, row-major.
    case nonFinite(count: Int, firstIndex: Int)
    /// Values that a half cannot hold; `largest` is the first of the greatest magnitude, at the flat
    /// index `index`.
    case tooLarge(count: Int, largest: Float, index: Int)
    /// Groups of `size` do not fill the channel axis.
    case groups(size: Int, channels: Int)
  }

  package let name: String
  package let fault: Fault

  package var description: String { "tensor '\(name)': \(reason)" }

  private var reason: String {
    switch fault {
    case .missing: return "the graph uses it, but the weights have no tensor of this name"
    case .shape(let stored, let needed): return "has shape \(stored), the graph needs \(needed)"
    case .valueCount(let count, let needed): return "has \(count) values, its shape needs \(needed)"
    case .nonFinite(let count, let first):
      let values = count == 1 ? "value is" : "values are"
      return "\(count) \(values) not finite, the first at flat index \(first)"
    case .tooLarge(let count, let largest, let index):
      return "\(count) \(count == 1 ? "value does" : "values do") not fit float16, "
        + "the largest is \(Self.text(largest)) at flat index \(index), float16 holds 65504"
    case .groups(let size, let channels):
      return "\(channels) channels are no multiple of the group size \(size); "
        + "use \(Self.suggestion(size, channels))"
    }
  }

  /// The shortest decimal that reads back as the same number: `70000`, `-1.5e+20`.
  private static func text(_ value: Float) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The divisors of `channels` nearest to `size`, or the granularity that always fits.
  private static func suggestion(_ size: Int, _ channels: Int) -> String {
    let below = stride(from: min(size, channels), to: 1, by: -1).first { channels % $0 == 0 }
    let above = size < channels ? (size + 1..<channels).first { channels % $0 == 0 } : nil
    let sizes = [below, above].compactMap { $0.map(String.init) }
    guard !sizes.isEmpty else { return "per-tensor" }
    return "a group size of \(sizes.joined(separator: " or ")), or per-tensor"
  }
}
