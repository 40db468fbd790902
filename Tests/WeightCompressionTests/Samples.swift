import TestSupport

/// Values of many distributions, for property tests.
enum Samples: String, CaseIterable, CustomStringConvertible {
  case gaussian, heavyTailed, bimodal, fewDistinct, clustered, integers, geometric, uniform
  case subnormal, huge, grid, mostlyEqual

  var description: String { rawValue }

  func values(_ count: Int, _ random: inout SeededGenerator) -> [Float] {
    let centres = (0..<6).map { _ in Self.normal(&random) * 5 }
    return (0..<count).map { Float(value($0, count, centres, &random)) }
  }

  private func value(
    _ index: Int, _ count: Int, _ centres: [Double], _ random: inout SeededGenerator
  ) -> Double {
    let normal = Self.normal(&random)
    let unit = Double.random(in: 0..<1, using: &random)
    switch self {
    case .gaussian: return normal
    case .heavyTailed: return normal / Self.normal(&random).magnitude
    case .bimodal: return normal + (unit < 0.5 ? 20 : -20)
    case .fewDistinct: return centres[Int(unit * 6)]
    case .clustered: return centres[Int(unit * 6)] + 0.01 * normal
    case .integers: return Double(Int(unit * Double(max(2, count / 2))))
    case .geometric:
      let exponent = Int.random(in: -20...20, using: &random)
      return Double(sign: unit < 0.5 ? .plus : .minus, exponent: exponent, significand: 1 + unit)
    case .uniform: return unit
    case .subnormal: return normal * 1e-43
    case .huge: return normal * 3e37
    case .grid: return Double(index)
    case .mostlyEqual: return unit < 0.95 ? 0.25 : normal
    }
  }

  /// About normally distributed: a sum of twelve uniform numbers (Irwin and Hall).
  private static func normal(_ random: inout SeededGenerator) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }
}
