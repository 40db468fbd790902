/// How a model over rows becomes a Core ML model over named inputs.
package struct TabularOptions: Equatable, Sendable {
  /// The output: the label, beside `NAME_probs`, or the number; of several numbers `NAME_0`, `NAME_1`, ….
  package var output: String
  /// What is said about inputs, by feature.
  package var texts: [String: String]
  /// Features that are int64 inputs, which cannot be missing; all others are doubles.
  package var integers: Set<String>
  package var metadata: TabularProgram.Metadata

  package init(
    output: String = "prediction", texts: [String: String] = [:], integers: Set<String> = [],
    metadata: TabularProgram.Metadata = TabularProgram.Metadata()
  ) {
    self.output = output
    self.texts = texts
    self.integers = integers
    self.metadata = metadata
  }

  /// Inputs of features by name, in order.
  ///
  /// - Throws: if options name a feature that is none.
  func inputs(_ names: [String], at place: TabularPlace) throws(TabularError) -> [TabularFeature] {
    let known = Set(names)
    if let wrong = texts.keys.sorted().first(where: { !known.contains($0) })
      ?? integers.sorted().first(where: { !known.contains($0) })
    {
      throw place.fault("has no feature '\(wrong)' that the options name")
    }
    return names.map { name in
      TabularFeature(name, integers.contains(name) ? .int64 : .double, text: texts[name] ?? "")
    }
  }
}
