import Packaging
import WeightCompression

/// Reads a scheme and its options, in the words of a project file or a recipe.
struct SchemeReader {
  let section: ContractSection

  /// The keys that say it.
  static let keys = [
    "scheme", "bits", "mode", "granularity", "groupSize", "range", "width", "entries",
  ]

  /// The scheme, nil within for weights that are kept; nil when there is a fault, which is noted.
  ///
  /// - Parameter mend: the hint if there is no scheme.
  func read(mend: String) -> Located<Scheme?>? {
    let before = section.log.faults.errorCount
    let scheme = section.string("scheme", mend: mend)
    let words = SchemeSpelling(
      scheme: scheme?.value ?? "", bits: section.optionalInteger("bits"),
      mode: section.optionalString("mode")?.value,
      granularity: section.optionalString("granularity")?.value,
      groupSize: section.optionalInteger("groupSize"),
      range: section.optionalString("range")?.value, width: section.optionalInteger("width"),
      entries: section.optionalString("entries")?.value)
    guard let scheme, section.log.faults.errorCount == before else { return nil }
    do throws(CompressionError) {
      return Located(value: try words.meaning(), place: scheme.place)
    } catch {
      section.fault(.badCompression, scheme.place, error.description)
      return nil
    }
  }
}
