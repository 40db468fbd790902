import Inputs
import StrictJSON

extension GateWarning {
  /// The warning as a sentence, for people and receipts.
  package var sentence: String {
    switch self {
    case .sameBytes(nil): "baseline and candidate are the same bytes: a model was judged by itself"
    case .sameBytes(let encoder?):
      "the \(encoder.encoderWords)s of baseline and candidate are the same bytes"
    case .vectors:
      "vectors were given instead of a model: no weights were compared, and nothing is known of "
        + "what no reference reaches"
    case .textLength(let new, let old):
      "the candidate cuts texts at \(new) tokens, the baseline at \(old)"
    case .prompt(let new, let old):
      "the baseline puts \(JSONValue.string(old).compact) before every text, the candidate "
        + "\(JSONValue.string(new).compact): vectors of other texts are compared"
    case .compressedBaseline(let recipe):
      "the baseline is compressed itself (\(recipe)): what that changed of the model as trained is "
        + "not judged"
    case .preparation(let difference): difference.sentence
    case .otherNames(let encoder, let tokensCompared):
      "\(encoder.candidateWeights) have other names than the baseline's "
        + (tokensCompared
          ? "and only the table of tokens was compared with it"
          : "and were not compared with them")
    case .otherOperations:
      "the candidate is a program whose operations are not the baseline's: what it computes where no "
        + "reference leads was not judged"
    case .weight(let name, let pattern):
      "the candidate's weight '\(name)' is no mere compression, though the outputs keep their "
        + "limits: \(pattern.text)"
    case .rows(let rows): rows.warning
    case .coarseThresholds(let moves): moves.sentence
    case .generated(let encoder, let limit):
      "\(encoder.candidateWords) misses the limit of the worst input (\(Figures.plain(limit))) on "
        + "generated texts of tokens that no reference holds; references with more of the app's "
        + "words would tell what that means to it"
    case .droppedTokens(let dropped): dropped.sentence
    case .lengthChange(let change):
      "the length of an embedding changed by \(Figures.text(change * 100, decimals: 0)) %, which "
        + "cosines do not see"
    case .toleratedFlips(let count, let margin):
      "\(Figures.count(count, "flip")) tolerated, the baseline's margin being "
        + "\(Figures.plain(margin)) at most"
    case .references(let warning): warning.sentence
    case .unusedLengths(let lengths):
      "no reference input needs the length \(lengths.map(String.init).joined(separator: ", ")): "
        + "the candidate was not judged there"
    }
  }
}

extension ReferenceWarning {
  /// The warning as a sentence.
  fileprivate var sentence: String {
    switch self {
    case .constantFeatures(let features):
      "all references have one value of "
        + "\(Figures.list(words: features.map { "'\($0.name)' (\(Figures.plain($0.value)))" }))"
        + ": what the model makes of others was not judged"
    case .coarseFeatures(let features): CoarseFeature.sentence(features)
    case .unseenCategories(let categories): categories.sentence
    case .few(let count):
      "the reference set has only \(count.words); fewer than \(ReferenceSet.fewestLines) say little"
    case .repeats(let count, let line, let first):
      "\(Figures.count(count, "line")) of the reference set \(count == 1 ? "is" : "are") to the "
        + "model what others are, line \(line) what line \(first) is; they count once"
    case .unrankedLabels(let count):
      "\(ReferenceWarning.labelled(count)), but they cannot be ranked; there is no rank correlation"
    case .someLabels(let count, let all):
      "\(ReferenceWarning.labelled(count)), of \(all); the others are not ranked"
    case .threshold(let advice): advice.warning
    case .noMixedPairs(let kinds):
      "the set holds \(kinds.map { "\($0)s" }.joined(separator: " and ")), "
        + "but no pair of one with another"
    case .unknownOutputs: "nothing says what the outputs mean; labels were not judged"
    case .unusedThreshold(.noLabels): "the threshold was not used: there are no labels"
    case .unusedThreshold(.largestOutput):
      "the threshold was not used: the label is that of the largest output"
    case .wrongBaseline(let count, let all):
      "the baseline itself gives another label than the known one on \(count) of "
        + "\(Figures.count(all, "sample"))"
    case .wrongLabels(let labels): labels.sentence
    case .swappedLabels(let labels): labels.sentence
    case .saturatedOutputs(let inputs):
      "all probabilities that the baseline gives for \(Figures.count(inputs, "input")) are 0 or 1 in 32 bits: "
        + "drift does not show there; add references that lie nearer to a decision"
    }
  }

  private static func labelled(_ count: Int) -> String {
    "\(Figures.count(count, "pair")) \(count == 1 ? "has" : "have") a label"
  }
}

extension PreparationDifference {
  /// The difference as a sentence, without paths.
  var sentence: String { "\(encoder.candidateWords)'s \(words)" }

  /// The difference in words that follow the candidate's name.
  var words: String {
    switch kind {
    case .images: "images are resized, cropped or decoded otherwise than the baseline's"
    case .normalisation: "pixels become other numbers than the baseline's"
    case .tokenizer(let parts): "tokenizer is not the baseline's: \(Figures.list(words: parts))"
    case .tokens(let input, let found, let expected, let first):
      "tokens of \(input) are not the baseline's: \(found) instead of \(expected), the first that "
        + "differs is token \(first)"
    case .stated(let key, let found, let expected):
      "'\(key)' is \(found), the baseline's is \(expected)"
    }
  }
}
