import WeightCompression

/// Reads a scheme and its options, in the words of a project file or a recipe.
struct SchemeReader {
  let section: ContractSection

  /// The keys that say it.
  static let keys =
    [
      "scheme", "bits", "mode", "granularity", "groupSize", "range", "width", "entries", "rows",
    ] + SchemeSpelling.partNames

  /// The scheme, nil within for weights that stay uncompressed; nil when there is a fault, which is
  /// noted.
  ///
  /// - Parameter mend: the hint when the scheme is missing.
  func read(mend: String) -> Located<Scheme?>? {
    let before = section.log.faults.errorCount
    let scheme = section.string("scheme", mend: mend)
    let isSplit = scheme?.value == SchemeSpelling.split
    let mend = "say how many rows are the first: 'rows: 4000'"
    let hasRows = !isSplit || section.required("rows", mend: mend) != nil
    let words = SchemeSpelling(
      scheme: scheme?.value ?? "", bits: section.optionalInteger("bits"),
      mode: section.optionalString("mode")?.value,
      granularity: section.optionalString("granularity")?.value,
      groupSize: section.optionalInteger("groupSize"),
      range: section.optionalString("range")?.value, width: section.optionalInteger("width"),
      entries: section.optionalString("entries")?.value,
      rows: hasRows ? section.optionalInteger("rows") : nil, parts: parts(areNeeded: isSplit))
    guard let scheme, section.log.faults.errorCount == before else { return nil }
    do throws(CompressionError) {
      return Located(value: try words.meaning(), place: scheme.place)
    } catch {
      section.fault(.badCompression, place(of: error) ?? scheme.place, error.description)
      return nil
    }
  }

  private func place(of error: CompressionError) -> Place? {
    if case .invalidSplit = error { section.node("rows")?.place } else { nil }
  }

  /// The schemes of the parts of a table that are there and have no faults.
  private func parts(areNeeded: Bool) -> [SchemeSpelling] {
    SchemeSpelling.partNames.compactMap { key in
      guard areNeeded || section.node(key) != nil else { return nil }
      let mend = "say how these rows are stored: '\(key): {scheme: int8}'"
      return section.section(key, mend: mend).flatMap(part)
    }
  }

  private func part(_ section: ContractSection) -> SchemeSpelling? {
    section.allowOnly(Self.keys)
    guard
      let scheme = SchemeReader(section: section).read(mend: "choose a scheme such as 'int8'")
    else { return nil }
    do throws(CompressionError) {
      try SplitScheme.check(part: scheme.value)
      return SchemeSpelling(scheme.value)
    } catch {
      section.fault(.badCompression, scheme.place, error.description)
      return nil
    }
  }
}
