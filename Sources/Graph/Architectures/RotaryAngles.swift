import Foundation
import StrictJSON

/// How fast rotary positions turn.
struct RotaryAngles: Sendable {
  let base: Double
  /// Divides all frequencies.
  let scale: Double

  private static let rules = KeyRules(
    understood: ["rope_theta", "rope_type", "type", "factor"],
    neutral: ["partial_rotary_factor": [.integer(1)]])
  private static let scalingRules = KeyRules(
    understood: ["rope_type", "type", "factor"], neutral: ["mixed_b": []], nullable: ["mixed_b"])

  /// `rope_parameters`, as transformers 5 writes them: of the kinds `default` and `linear`.
  init(_ config: JSONObject, usual: Double) throws {
    guard config.has("rope_parameters") else {
      self.init(base: usual, scale: 1)
      return
    }
    let parameters = try config.object("rope_parameters")
    try Self.rules.check(parameters)
    let base = try parameters.positive("rope_theta", usual: usual)
    let isLinear = try Self.kind(of: parameters, among: ["default", "linear"]) == "linear"
    self.init(base: base, scale: isLinear ? try parameters.positive("factor", usual: 0) : 1)
  }

  /// `rope_theta` and `rope_scaling` of the kind `ntk`, for heads of a width: the base is multiplied
  /// by the factor, and all frequencies are divided by factor^(2 / width).
  ///
  /// Source: https://kexue.fm/archives/9706, equation 6, as the model's own program has it.
  init(ntkOf config: JSONObject, usual: Double, width: Int) throws {
    let base = try config.positive("rope_theta", usual: usual)
    guard config.has("rope_scaling") else {
      self.init(base: base, scale: 1)
      return
    }
    let scaling = try config.object("rope_scaling")
    try Self.scalingRules.check(scaling)
    _ = try Self.kind(of: scaling, among: ["ntk"])
    let factor = try scaling.positive("factor", usual: 0)
    self.init(base: base * factor, scale: pow(factor, 2 / Double(width)))
  }

  /// - Parameter scale: divides all frequencies.
  init(base: Double, scale: Double = 1) {
    self.base = base
    self.scale = scale
  }

  /// The kind under its two names, the newer first; `default` without either.
  private static func kind(of object: JSONObject, among known: [String]) throws -> String {
    let key = object.has("rope_type") ? "rope_type" : "type"
    let word = object.has(key) ? try object.string(key) : "default"
    guard known.contains(word) else {
      throw ModelError.unsupported(
        place: "\(object.origin): '\(key)'", found: "'\(word)'",
        supported: known.joined(separator: ", "))
    }
    return word
  }
}
