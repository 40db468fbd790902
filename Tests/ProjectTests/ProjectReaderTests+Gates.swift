/// Requirements that the gate holds a model to.
extension ProjectReaderTests {
  static let gates = [
    Case(
      "misspelt limits", "limits: standard", "limits: standart",
      faults: "6:50: no limits are called 'standart' [did you mean 'standard'?]"),
    Case(
      "unknown limit", "similarityDriftMax: 0.1", "similarityDrift: 0.1",
      faults: "13:32: unknown key 'similarityDrift' [did you mean 'similarityDriftMax'?]"),
    Case(
      "limit that is no number", "similarityDriftMax: 0.1", "similarityDriftMax: nan",
      faults: "13:52: 'similarityDriftMax' is 'nan', expected a number"),
    Case(
      "weaker limit", "similarityDriftMax: 0.1", "similarityDriftMax: 0.2",
      faults: "13:52: 'similarityDriftMax' is 0.2, weaker than the 0.15 of 'lenient' "
        + "[add 'weakened: true' to say that this is meant, or remove the limit]"),
    Case(
      "two weaker limits", "similarityDriftMax: 0.1", "cosineMin: 0.5, neighbourOverlap: 0",
      faults: "13:43: 'cosineMin' is 0.5, weaker than the 0.8 of 'lenient' "
        + "[add 'weakened: true' to say that this is meant, or remove the limit]",
      "13:66: 'neighbourOverlap' is 0.0, weaker than the 0.8 of 'lenient' "
        + "[add 'weakened: true' to say that this is meant, or remove the limit]"),
    Case(
      "weaker limit that says so", "similarityDriftMax: 0.1",
      "similarityDriftMax: 0.2, weakened: true"),
    Case(
      "weakened by nothing", "similarityDriftMax: 0.1", "similarityDriftMax: 0.1, weakened: true",
      faults: "13:67: 'weakened' is true, no limit is weaker than those of 'lenient' "
        + "[remove 'weakened']"),
    Case(
      "not weakened", "similarityDriftMax: 0.1", "similarityDriftMax: 0.1, weakened: false"),
    Case(
      "weakened in quotes", "similarityDriftMax: 0.1",
      "similarityDriftMax: 0.1, weakened: \"true\"",
      faults: "13:67: 'weakened' is 'true', expected true or false"),
    Case(
      "limit out of range", "similarityDriftMax: 0.1", "similarityDriftMax: 3",
      faults: "13:23: the limit 'similarityDriftMax' is 3, expected a number from 0 to 2"),
    Case("threshold of a score", "threshold: 0.5", "threshold: -58.3"),
    Case("few references that are meant", "threshold: 0.5", "fewReferences: true"),
    Case(
      "few references in words", "threshold: 0.5", "fewReferences: please",
      faults: "14:20: 'fewReferences' is 'please', expected true or false"),
    Case(
      "threshold that is no number", "threshold: 0.5", "threshold: .inf",
      faults: "14:16: 'threshold' is '.inf', expected a number"),
  ]
}
