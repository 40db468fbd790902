import Gate
import Inputs
import StrictJSON
import Testing

/// The files a model is judged on, and those written of the verdict.
extension FuzzTests {
  private static let referenceSets = bytes([
    #"{"a":{"text":"one"},"b":{"text":"two"},"similarity":0.5,"expect":"match"}"# + "\n"
      + #"{"a":{"text":"caf\u00e9"},"b":{"text":"one"},"expect":"mismatch"}"# + "\r\n"
      + #"{"a":{"text":""},"b":{"text":"cafe\u0301"}}"#,
    #"{"a":{"values":[1,-0.0]},"b":{"values":[1,0]},"similarity":-1e-3}"# + "\n",
    #"{"a":{"anyOf":[{"text":"x"},{"text":"y"}]},"b":{"anyOf":[{"text":"z"}]}}"#,
    #"{"input":{"values":[1,2.5e3]},"output":[0.25,0.75]}"# + "\n"
      + #"{"input":{"values":[]}}"# + "\n" + #"{"input":{"text":"x"},"output":[]}"#,
  ])

  private static let inputLines = bytes([
    "\"one\"\n{\"text\":\"two\"}\n{\"values\":[1,2,3e38]}\n", "{\"values\":[]}", "",
    " \"\\ud83d\\ude00\" \r\n\"e\u{301}\"\n\"\u{E9}\"",
    "{\"image\":\"a/../b.png\"}\n{\"image\":\"/c.jpg\"}",
  ])

  @Test func referenceSets() throws {
    let image = try ScratchFile("i")
    try image.write([1])
    let named = bytes([#"{"a":{"image":"\#(image.path)"},"b":{"anyOf":[{"text":"x"}]}}"#])
    run("reference sets", FuzzTests.referenceSets + named) { bytes in
      parsing([JSONError.self]) { try isSound(ReferenceSet(bytes: bytes, origin: "f")) }
    }
  }

  private func isSound(_ set: ReferenceSet) -> Bool {
    guard Set(set.inputs).count == set.inputs.count, set.lines.count == set.inputs.count,
      set.lines == set.lines.sorted(), set.content.count > 0,
      set.inputs.allSatisfy({ !$0.label.isEmpty })
    else { return false }
    switch set.content {
    case .pairs(let pairs):
      return set.inputs.count > 1
        && pairs.allSatisfy {
          ($0.a + $0.b).allSatisfy(set.inputs.indices.contains) && !$0.a.isEmpty && !$0.b.isEmpty
            && ($0.similarity ?? 0).isFinite
        }
    case .samples(let samples):
      return samples.allSatisfy {
        set.inputs.indices.contains($0.input)
          && ($0.output ?? []).allSatisfy(\.isFinite)
      }
    }
  }

  @Test func inputLines() {
    run("input lines", FuzzTests.inputLines) { bytes in
      parsing([JSONError.self]) {
        let lines = try InputLines(bytes: bytes, origin: "f.jsonl")
        let ends = bytes.count { $0 == UInt8(ascii: "\n") }
        let isOpen = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
        return lines.inputs.count == ends + (isOpen ? 1 : 0)
      }
    }
  }

  private static let pairTable =
    "sentence1,sentence2,score,expect\n\"a \"\"b\"\"\nc\",d,0.5,match\r\ne,f,,\n"
  private static let features = "x,y,output\n1,-2.5e3,0\n3,4,\n"

  /// References in other forms than JSON lines, by the names of their files.
  private static let forms = [
    "f.csv": bytes([pairTable, features]),
    "f.tsv": bytes(["\u{FEFF}a\tb\tlabel\nx\ty\t1\n"]),
    "f": bytes([pairTable, features, #"{"sentence1":"x","sentence2":"y","score":1,"idx":3}"#]),
  ]

  @Test(arguments: ["f.csv", "f.tsv", "f"])
  func referenceForms(_ origin: String) {
    run("references as \(origin)", FuzzTests.forms[origin] ?? []) { bytes in
      parsing([JSONError.self]) { try isSound(ReferenceSet(bytes: bytes, origin: origin)) }
    }
  }

  @Test(arguments: ["f.csv", "f.tsv", "f", "f.txt"])
  func inputForms(_ origin: String) {
    let plain = bytes(["a plane\r\na cat\n"])
    run("inputs as \(origin)", FuzzTests.forms[origin] ?? plain) { bytes in
      parsing([JSONError.self]) {
        let lines = try InputLines(bytes: bytes, origin: origin)
        return lines.lines.count == lines.inputs.count && lines.lines == lines.lines.sorted()
          && lines.inputs.allSatisfy { !$0.label.isEmpty }
      }
    }
  }

  @Test func receipts() {
    let all = [
      Receipts.embedding(of: Receipts.digest), Receipts.outputs, Receipts.ofTwoEncoders,
    ]
    run("receipts", bytes(all)) { bytes in
      parsing([JSONError.self]) {
        let receipt = try RecordedReceipt(bytes, origin: "f")
        let text = receipt.json.compact
        // Nothing is passed over: what was read says what would be written, and reads the same.
        let again = try RecordedReceipt(Array(text.utf8), origin: "f")
        let said = Receipts.plain(try JSONParser.parse(bytes, origin: "f"))
        return isSame(text, said) && again == receipt
      }
    }
  }
}

/// Sound receipts.
enum Receipts {
  static let digest = String(repeating: "0a", count: 32)

  /// A receipt of a model that embeds.
  static func embedding(of candidate: String) -> String {
    #"{"architecture":"dense","baseline":{"files":{},"sha256":"\#(digest)"},"#
      + #""candidate":{"files":{"model.json":"\#(digest)","x":"\#(digest)"},"#
      + #""sha256":"\#(candidate)"},\#(limits),"metrics":{"cosine":{"mean":"0.9999","#
      + #""min":"0.98","p1":"0.99"},"flips":0,"inputs":12,"neighbourOverlap":"1","#
      + #""normDrift":"0.0001","pairs":6,"similarityDrift":{"max":"0.004","mean":"0.001"},"#
      + #""spearman":{"baseline":"0.5","candidate":"-0.25"},"topOneAgreement":"0.95"},"#
      + #""references":{"sha256":"\#(digest)"},"schemaVersion":1,"threshold":"0.35","#
      + #""warnings":["the reference set has only 6 pairs"]}"#
  }

  static let outputs =
    #"{"architecture":"dense","baseline":{"files":{},"sha256":"\#(digest)"},"#
    + #""candidate":{"files":{},"sha256":"\#(digest)"},\#(limits),"#
    + #""metrics":{"distinct":{"inputs":1,"pairs":0},"flips":0,"inputs":1,"#
    + #""outputDrift":{"max":"0","mean":"0"},"pairs":0},"#
    + #""references":{"sha256":"\#(digest)"},"schemaVersion":1,"warnings":[]}"#

  /// Of a text encoder beside an image encoder, with flips.
  static let ofTwoEncoders =
    #"{"architecture":"clip","baseline":{"files":{},"sha256":"\#(digest)"},"#
    + #""candidate":{"files":{"tokenizer.json":"\#(digest)"},"sha256":"\#(digest)"},"#
    + #""flips":[{"after":"0.3461","before":"0.3508","line":2},"#
    + #"{"after":"0.35","before":"0.35","line":5}],\#(limits),"#
    + #""metrics":{"cosine":{"mean":"0.9999","min":"0.98","p1":"0.99"},"flips":2,"inputs":12,"#
    + #""neighbourOverlap":"1","normDrift":"0","pairs":6,"similarityDrift":{"max":"0.0047","#
    + #""mean":"0.001"},"topOneAgreement":"0.95"},"#
    + #""partner":{"baseline":{"files":{},"sha256":"\#(digest)"},"#
    + #""candidate":{"files":{},"sha256":"\#(digest)"},"encoder":"image"},"#
    + #""references":{"sha256":"\#(digest)"},"schemaVersion":1,"threshold":"0.35","warnings":[]}"#

  private static let limits =
    #""limits":{"cosineMean":"0.99","cosineMin":"0.97","neighbourOverlap":"0.9","#
    + #""profile":"standard","similarityDriftMax":"0.05","similarityDriftMean":"0.01"}"#

  /// A JSON text without white space, keys sorted by their bytes, integers as digits.
  static func plain(_ node: JSONNode) -> String {
    switch node.content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): node.integer.map(String.init) ?? digits
    case .string(let text): JSONValue.string(text).compact
    case .array(let elements): "[" + elements.map(plain).joined(separator: ",") + "]"
    case .object(let object):
      "{"
        + object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { JSONValue.string($0.key).compact + ":" + plain($0.value) }
        .joined(separator: ",") + "}"
    }
  }
}
