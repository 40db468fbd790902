import Evaluation
import Packaging
import WeightCompression

/// Reads how one model, or every custom model, is made.
struct RecipeReader {
  let section: ContractSection
  /// Whether paths may hold `{flowName}` and its like.
  let allowsPlaceholders: Bool

  /// The recipe; nil when there is a fault, which is noted.
  func read() -> ModelRecipe? {
    section.allowOnly(["source", "compress", "gate", "formats", "coreml", "description"])
    let source = path("source", of: section, mend: "add 'source', the model's folder or file")
    let compress = section.section(
      "compress", mend: "say how to compress: 'compress: {scheme: int8}'"
    )
    let format = FormatReader(section: section).read()
    let compression = compress.flatMap { self.compression($0, format?.format ?? .safetensors) }
    let gate = section.section(
      "gate", mend: "name the reference set: 'gate: {references: pairs.jsonl}'"
    ).flatMap(self.gate)
    guard let source, let compression, let gate, let format else { return nil }
    return ModelRecipe(source: source, compression: compression, gate: gate, format: format)
  }

  private func path(
    _ key: String, of section: ContractSection, mend: String
  ) -> Located<PathPattern>? {
    guard let text = section.path(key, mend: mend) else { return nil }
    guard allowsPlaceholders else {
      if text.value.contains(where: { $0 == "{" || $0 == "}" }) {
        section.fault(
          text.place, "'\(key)' holds a placeholder",
          hint: "placeholders are for 'customModels'; a shared model has one source")
        return nil
      }
      return Located(value: PathPattern(literal: text.value), place: text.place)
    }
    switch PathPattern.parse(text.value) {
    case .success(let pattern): return Located(value: pattern, place: text.place)
    case .failure(let fault):
      section.fault(text.place, "'\(key)': \(fault.message)", hint: fault.hint)
      return nil
    }
  }

  private func compression(
    _ section: ContractSection, _ format: ModelFormat
  ) -> CompressionOptions? {
    section.allowOnly(["scheme", "bits", "granularity", "groupSize"])
    let before = section.log.faults.faults.count
    let scheme = section.string("scheme", mend: "choose 'int8' or 'palettize'")
    let bits = section.optionalInteger("bits")
    let granularity = section.optionalString("granularity")
    let groupSize = section.optionalInteger("groupSize")
    guard let scheme, section.log.faults.faults.count == before else { return nil }
    do throws(CompressionError) {
      return try CompressionOptions(
        scheme: scheme.value, bits: bits, granularity: granularity?.value, groupSize: groupSize,
        floats: format.floats)
    } catch {
      section.fault(scheme.place, error.description)
      return nil
    }
  }

  private func gate(_ section: ContractSection) -> GateTerms? {
    section.allowOnly(["references", "limits", "threshold"])
    let references = path(
      "references", of: section, mend: "name the reference set: 'references: pairs.jsonl'")
    let limits = self.limits(section)
    let threshold = self.threshold(section)
    guard let references, let limits else { return nil }
    return GateTerms(references: references, limits: limits, threshold: threshold)
  }

  private func threshold(_ section: ContractSection) -> Located<Double>? {
    guard let node = section.node("threshold"),
      let threshold = section.optionalDouble("threshold")
    else { return nil }
    if !(-1...1).contains(threshold) {
      section.fault(node.place, "'threshold' is \(node.kind), expected -1 to 1")
    }
    return Located(value: threshold, place: node.place)
  }

  private func limits(_ section: ContractSection) -> LimitTerms? {
    guard let node = section.node("limits") else {
      return LimitTerms(profile: Limits.Profile.standard.rawValue, overrides: [:])
    }
    if let name = node.string {
      return checked(LimitTerms(profile: name, overrides: [:]), at: node.place, section)
    }
    guard let group = ContractSection(node, name: "'limits'", log: section.log) else { return nil }
    let keys = Limits.Key.allCases.map(\.rawValue)
    group.allowOnly(["profile"] + keys)
    let profile = group.optionalString("profile")
    var overrides: [String: Double] = [:]
    for key in keys { overrides[key] = group.optionalDouble(key) }
    let terms = LimitTerms(
      profile: profile?.value ?? Limits.Profile.standard.rawValue, overrides: overrides)
    return checked(terms, at: profile?.place ?? node.place, section)
  }

  private func checked(
    _ terms: LimitTerms, at place: Place, _ section: ContractSection
  ) -> LimitTerms? {
    let known = Limits.Profile.allCases.map(\.rawValue)
    guard known.contains(terms.profile) else {
      section.fault(
        place, "no limits are called '\(terms.profile.prefix(60).asciiEscaped)'",
        hint: Suggestion.hint(for: terms.profile, among: known))
      return nil
    }
    do {
      _ = try Limits(terms)
      return terms
    } catch {
      section.fault(place, "\(error)")
      return nil
    }
  }
}

extension ModelFormat {
  /// Type of the floats that the format stores.
  var floats: FloatWidth {
    switch self {
    case .safetensors: .float32
    case .mlpackage: .float16
    }
  }
}

extension Limits {
  /// The limits that a project file asks for.
  init(_ terms: LimitTerms) throws(EvaluationError) {
    let profile = Limits.Profile(rawValue: terms.profile) ?? .strict
    try self.init(profile: profile, overrides: terms.overrides)
  }
}
