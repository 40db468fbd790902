import Imaging
import IngotFeatures
import TestSupport
import Testing
import Tokenization

@testable import IngotTokenizers

struct InputConfigurationTests {
  static let digest = String(repeating: "0a", count: 32)
  static let plain =
    #"{"files":{"tokenizer.json":"\#(digest)"},"framing":"special-tokens","kind":"text","least":1,"#
    + #""lengths":"any","maximum":8,"padding":0,"rows":9,"schema":1,"tensors":["input_ids"],"#
    + #""tokenizer":"as-file-says"}"#
  static let picture =
    #"{"centering":"even","colors":"last","filter":"bicubic","height":2,"kind":"image","#
    + #""levels":true,"resizing":{"shortest":5},"schema":1,"tensors":["image"],"width":3}"#
  static let features =
    #"{"features":["a","b"],"kind":"features","schema":1,"tensors":["features"]}"#

  static func texts(
    _ preparation: TextPreparation = TextPreparation(), cleaning: TextCleaning = .asFileSays,
    end: Int32? = nil, lengths: [Int]? = nil, facts: [String: String] = [:]
  ) -> InputConfiguration {
    InputConfiguration(
      .texts(
        TextConfiguration(
          preparation: preparation, cleaning: cleaning,
          limits: TokenLimits(most: 8, least: 1, rows: 9, end: end), lengths: lengths, paddingID: 0,
          files: ["tokenizer.json": digest], facts: facts)),
      tensors: ["input_ids"])
  }

  static func image(
    _ resizing: ImageGeometry.Resizing, _ centering: ImageGeometry.Centering = .even,
    filter: ResamplingFilter = .bicubic, scale: Float? = nil, takesLevels: Bool = true
  ) -> InputConfiguration {
    let processor = ImageProcessor(
      geometry: ImageGeometry(resizing: resizing, centering: centering, width: 3, height: 2),
      filter: filter, convertsFirst: scale != nil, scale: scale)
    return InputConfiguration(
      .image(ImageConfiguration(processor, takesLevels: takesLevels)), tensors: ["image"])
  }

  static let all: [InputConfiguration] = [
    texts(), texts(TextPreparation(prompt: "query: é\u{1F600}\n", strips: true)),
    texts(TextPreparation(lowercasing: .wholeText, framing: .none, cleaning: .canonicalize)),
    texts(TextPreparation(lowercasing: .normalizer, framing: .twoTexts), end: 7),
    texts(TextPreparation(framing: .noneOfCutText), cleaning: .openCLIP, lengths: [8]),
    texts(lengths: [2, 8]), texts(lengths: Array(1...8)), texts(lengths: [7, 9, 11]),
    texts(facts: ["model_type": "bert", "transformers_version": "4.57.1"]),
    image(.none), image(.shortestEdge(5)), image(.exactly(width: 3, height: 2), .before),
    image(.covering(width: 9, height: 7), filter: .lanczos),
    image(.exactly(width: 3, height: 2), filter: .bilinear, scale: 1 / 255, takesLevels: false),
    InputConfiguration(.features(FeatureSchema(names: ["x", "café"])), tensors: ["features"]),
  ]

  @Test(arguments: all) func whatIsWrittenReadsBack(_ configuration: InputConfiguration) throws {
    let json = configuration.json
    let read = try InputConfiguration(json: json)
    #expect(read == configuration)
    #expect(read.json == json)
    #expect(json.allSatisfy { (0x20..<0x7F).contains($0) })
  }

  @Test func everyConfigurationHasItsOwnText() {
    #expect(Set(Self.all.map(\.json)).count == Self.all.count)
  }

  @Test func theFormIsThatOfThePage() {
    #expect(Self.texts().json == Array(Self.plain.utf8))
    #expect(Self.image(.shortestEdge(5)).json == Array(Self.picture.utf8))
  }

  /// A text, a part of it and what stands there instead; and the fault.
  struct Fault: CustomTestStringConvertible, Sendable {
    let text: String
    let part: String
    let other: String
    let fault: String
    var testDescription: String { "\(part) as \(other)" }
  }

  static let faults: [Fault] = [
    Fault(
      text: plain, part: #""schema":1"#, other: #""schema":2"#,
      fault: "'schema' is 2, this library reads 1: update the app's library"),
    Fault(
      text: plain, part: #""rows":9"#, other: #""rows":9,"rowz":9"#, fault: "unknown key 'rowz'"),
    Fault(
      text: picture, part: #""width":3"#, other: #""width":3,"rows":3"#,
      fault: "unknown key 'rows'"),
    Fault(
      text: features, part: #""schema""#, other: #""prompt":"","schema""#,
      fault: "unknown key 'prompt'"),
    Fault(
      text: plain, part: #""kind":"text""#, other: #""kind":"sound""#,
      fault: "'kind' is the string \"sound\", expected 'text', 'image' or 'features'"),
    Fault(
      text: plain, part: #""padding":0"#, other: #""padding":9"#,
      fault: "'padding' is the number 9, expected 0...8"),
    Fault(
      text: plain, part: #""padding":0"#, other: #""padding":0.0"#,
      fault: "expected an integer, without a point"),
    Fault(
      text: plain, part: #""lengths":"any""#, other: #""lengths":[2,4]"#,
      fault: "expected 'any', or ascending lengths up to 'maximum' (8) at least"),
    Fault(
      text: plain, part: #""lengths":"any""#, other: #""lengths":[8,2]"#, fault: "ascending"),
    Fault(
      text: plain, part: #""lengths":"any""#, other: #""lengths":{"from":1,"to":99999}"#,
      fault: "'to' is the number 99999, expected 1...65536"),
    Fault(
      text: plain, part: digest, other: digest.uppercased(),
      fault: "'files' needs at least one file, each with 64 lower-case hexadecimal digits"),
    Fault(
      text: plain, part: #"["input_ids"]"#, other: #"["attention_mask"]"#,
      fault: "'tensors' is attention_mask, expected input_ids"),
    Fault(
      text: plain, part: #"["input_ids"]"#, other: #"["input_ids","input_ids"]"#,
      fault: "'tensors' is input_ids, input_ids"),
    Fault(
      text: plain, part: "special-tokens", other: "other",
      fault: "'framing' is the string \"other\", expected a word that is known here"),
    Fault(
      text: plain, part: #""rows":9"#, other: #""prompt":"","rows":9"#,
      fault: "is not written as Ingot writes it"),
    Fault(text: plain, part: #","least""#, other: #", "least""#, fault: "is not written as Ingot"),
    Fault(text: plain, part: #""kind""#, other: #""kin\u0064""#, fault: "is not written as Ingot"),
    Fault(
      text: picture, part: #""width":3"#, other: #""width":5000"#,
      fault: "'width' is the number 5000, expected 1...4096"),
    Fault(
      text: picture, part: #"{"shortest":5}"#, other: #"{"exactly":[5]}"#,
      fault: "'exactly' is an array of 1, expected width and height"),
    Fault(
      text: picture, part: #""schema""#, other: #""scale":"0.5","schema""#,
      fault: "expected the text of a number above 0 and at most 1"),
    Fault(
      text: picture, part: "bicubic", other: "nearest",
      fault: "expected 'bicubic' or 'bilinear' or 'lanczos'"),
    Fault(
      text: picture, part: #"["image"]"#, other: #"["image","mask"]"#,
      fault: "expected an array of one name"),
    Fault(
      text: features, part: #"["a","b"]"#, other: "[]", fault: "'features' is empty"),
    Fault(text: features, part: "}", other: "", fault: "the text ends"),
  ]

  @Test(arguments: faults) func aFaultIsNamed(_ each: Fault) throws {
    let text = each.text.replacing(each.part, with: each.other)
    try #require(text != each.text)
    do {
      _ = try InputConfiguration(json: Array(text.utf8))
      Issue.record("\(text) is read")
    } catch {
      #expect(error.description.contains(each.fault), "\(error)")
      #expect(error.description.hasPrefix("input configuration:"))
    }
  }

  /// Whatever byte is another one: a text that is read is the one that would have been written.
  @Test(arguments: [plain, picture, features])
  func noOtherTextIsRead(_ text: String) throws {
    var generator = SeededGenerator(seed: 47)
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      for _ in 0..<8 {
        var other = bytes
        other[place] = UInt8.random(in: 0...255, using: &generator)
        guard let read = try? InputConfiguration(json: other) else { continue }
        #expect(read.json == other)
      }
      #expect(throws: InputError.self) { try InputConfiguration(json: Array(bytes[..<place])) }
    }
    #expect(throws: InputError.self) {
      try InputConfiguration(
        json: [UInt8](repeating: 0x20, count: InputConfiguration.sizeLimit + 1))
    }
  }
}
