import Formats
import TestSupport
import Testing
import Weights

@Suite struct MLPackageManifestTests {
  static let entry =
    #"{"path": "a/m", "name": "model.mlmodel", "author": "w", "description": "d"}"#

  static func text(
    version: String = "\"1.0.0\"", items: String? = nil, root: String = "\"A\""
  ) -> String {
    """
    {"fileFormatVersion": \(version), "itemInfoEntries": \(items ?? "{\"A\": \(entry)}"),
    "rootModelIdentifier": \(root)}
    """
  }

  private func parse(_ text: String) throws -> MLPackageManifest {
    try MLPackageManifest(parsing: Array(text.utf8), origin: "M")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    let message: String
    var testDescription: String { name }
  }

  static func path(_ path: String, _ fault: String) -> Case {
    let item = #"{"path": "\#(path)", "name": "n", "author": "w", "description": "d"}"#
    return Case(
      name: "path \(path.prefix(20))", text: text(items: "{\"A\": \(item)}"),
      message: "M:1:66: 'path' is \(fault)")
  }

  static let hostile: [Case] = [
    Case(name: "empty", text: "", message: "M:1:1: the text ends where a value is expected"),
    Case(name: "not JSON", text: "<plist/>", message: "M:1:1: a value is expected here"),
    Case(name: "an array", text: "[]", message: "M:1:1: is an array of 0, expected an object"),
    Case(
      name: "no version", text: "{\"itemInfoEntries\": {}, \"rootModelIdentifier\": \"A\"}",
      message: "M:1:1: the key 'fileFormatVersion' is missing"),
    Case(
      name: "no items", text: "{\"fileFormatVersion\": \"1.0.0\", \"rootModelIdentifier\": \"A\"}",
      message: "M:1:1: the key 'itemInfoEntries' is missing"),
    Case(
      name: "no root",
      text: "{\"fileFormatVersion\": \"1.0.0\", \"itemInfoEntries\": {\"A\": \(entry)}}",
      message: "M:1:1: the key 'rootModelIdentifier' is missing"),
    Case(
      name: "version as a number", text: text(version: "1.0"),
      message: "M:1:23: 'fileFormatVersion' is the number 1.0, expected a string"),
    Case(
      name: "version of two numbers", text: text(version: "\"1.0\""),
      message:
        "M:1:23: 'fileFormatVersion' is '1.0', expected three numbers such as 1.0.0"),
    Case(
      name: "version of four numbers", text: text(version: "\"1.0.0.0\""),
      message:
        "M:1:23: 'fileFormatVersion' is '1.0.0.0', expected three numbers such as 1.0.0"),
    Case(
      name: "version with a gap", text: text(version: "\"1..0\""),
      message: "M:1:23: 'fileFormatVersion' is '1..0', expected three numbers such as 1.0.0"),
    Case(
      name: "version with a sign", text: text(version: "\"1.+0.0\""),
      message: "M:1:23: 'fileFormatVersion' is '1.+0.0', expected three numbers such as 1.0.0"),
    Case(
      name: "version too large for numbers", text: text(version: "\"1.99999999999999999999.0\""),
      message: "M:1:23: 'fileFormatVersion' is '1.99999999999999999999.0', "
        + "expected three numbers such as 1.0.0"),
    Case(
      name: "newer fix", text: text(version: "\"1.0.1\""),
      message: "M:1:23: 'fileFormatVersion' is '1.0.1', the newest known is 1.0.0"),
    Case(
      name: "newer generation", text: text(version: "\"2.0.0\""),
      message: "M:1:23: 'fileFormatVersion' is '2.0.0', the newest known is 1.0.0"),
    Case(
      name: "items as an array", text: text(items: "[]"),
      message: "M:1:51: 'itemInfoEntries' is an array of 0, expected an object"),
    Case(
      name: "an item as text", text: text(items: "{\"A\": \"m\"}"),
      message: "M:1:57: 'A' is the string \"m\", expected an object"),
    Case(
      name: "an identifier twice", text: text(items: "{\"A\": \(entry), \"A\": \(entry)}"),
      message: "M:1:134: the key 'A' appears twice in one object"),
    Case(
      name: "a path twice", text: text(items: "{\"A\": \(entry), \"B\": \(entry)}"),
      message: "M:1:139: the path 'a/m' is that of another item too"),
    Case(
      name: "root of no item", text: text(root: "\"B\""),
      message: "M:2:24: 'rootModelIdentifier' is 'B', which none of the 1 items has"),
    Case(
      name: "no item at all", text: text(items: "{}"),
      message: "M:2:24: 'rootModelIdentifier' is 'A', which none of the 0 items has"),
    Case(
      name: "root in another Unicode form",
      text: text(items: "{\"\u{E9}\": \(entry)}", root: "\"e\u{301}\""),
      message: "M:2:24: 'rootModelIdentifier' is 'e\u{301}', which none of the 1 items has"),
    path("", "'', which is empty"),
    path("/etc/passwd", "'/etc/passwd', which is absolute"),
    path("../m", "'../m', which has the part '..'"),
    path("a/../../m", "'a/../../m', which has the part '..'"),
    path("./m", "'./m', which has the part '.'"),
    path("a//m", "'a//m', which has an empty part"),
    path("a/", "'a/', which has an empty part"),
    path(#"a\u0000b"#, #"'a\u{0}b', which holds a control character"#),
    path(#"a\u001b[2J"#, #"'a\u{1b}[2J', which holds a control character"#),
    path(
      String(repeating: "a", count: 1025),
      "'\(String(repeating: "a", count: 80))…', which has 1025 bytes, at most 1024 are read"),
  ]

  @Test(arguments: hostile) func refuses(_ test: Case) {
    #expect(message { _ = try parse(test.text) } == test.message)
  }

  @Test(arguments: ["path", "name", "author", "description"])
  func everyKeyOfAnItemIsNeeded(_ key: String) throws {
    let item = MLPackageManifestTests.entry
    let missing = item.replacing("\"\(key)\"", with: "\"other\"")
    let of = { (entry: String) in MLPackageManifestTests.text(items: "{\"A\": \(entry)}") }
    #expect(message { _ = try parse(of(missing)) } == "M:1:57: the key '\(key)' is missing")
    let text = item.replacing(#""\#(key)": ""#, with: #""\#(key)": [], "other": ""#)
    let found = try #require(message { _ = try parse(of(text)) })
    #expect(found.hasSuffix(": '\(key)' is an array of 0, expected a string"))
  }

  @Test(arguments: ["1.0.0", "0.9.12", "0.0.0", "01.0.0"])
  func versionsRead(_ version: String) throws {
    let manifest = try parse(MLPackageManifestTests.text(version: "\"\(version)\""))
    #expect(manifest.root.path == "a/m")
    #expect(manifest.items == [manifest.root])
  }

  @Test func whatOnnxRuntimeWrites() throws {
    let manifest = try parse(
      """
      {"fileFormatVersion": "1.0.0",
       "itemInfoEntries": {
         "B-2": {"author": "com.microsoft.OnnxRuntime", "description": "CoreML Model Weights",
                 "name": "weights", "path": "com.microsoft.OnnxRuntime/weights"},
         "A-1": {"author": "com.microsoft.OnnxRuntime",
                 "description": "CoreML Model Specification", "name": "model.mlmodel",
                 "path": "com.microsoft.OnnxRuntime/model.mlmodel", "more": 1}},
       "rootModelIdentifier": "A-1"}
      """)
    #expect(manifest.root.path == "com.microsoft.OnnxRuntime/model.mlmodel")
    #expect(manifest.items.map(\.identifier) == ["B-2", "A-1"])
  }

  @Test func textIsAlwaysTheSame() throws {
    let manifest = MLPackageManifest(digest: ContentDigest(of: [1, 2, 3]), hasWeights: true)
    #expect(
      String(decoding: manifest.text, as: UTF8.self) == """
        {
          "fileFormatVersion": "1.0.0",
          "itemInfoEntries": {
            "11e30cf6-22c3-801d-b774-ff0c17207c22": {
              "author": "com.apple.CoreML",
              "description": "CoreML Model Weights",
              "name": "weights",
              "path": "com.apple.CoreML/weights"
            },
            "cfd7f440-6539-8b80-bf80-ca7d33d1dc32": {
              "author": "com.apple.CoreML",
              "description": "CoreML Model Specification",
              "name": "model.mlmodel",
              "path": "com.apple.CoreML/model.mlmodel"
            }
          },
          "rootModelIdentifier": "cfd7f440-6539-8b80-bf80-ca7d33d1dc32"
        }

        """)
  }

  @Test func readsWhatItWrites() throws {
    for hasWeights in [false, true] {
      let manifest = MLPackageManifest(digest: ContentDigest(of: [7]), hasWeights: hasWeights)
      let read = try MLPackageManifest(parsing: manifest.text, origin: "M")
      #expect(read.root == manifest.root)
      #expect(read.items.count == (hasWeights ? 2 : 1))
      #expect(read.text == manifest.text)
    }
  }

  @Test func identifiersFollowFromTheContent() throws {
    let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    var found: Set<String> = []
    for byte in UInt8.min ... .max {
      let digest = ContentDigest(of: [byte])
      for item in MLPackageManifest(digest: digest, hasWeights: true).items {
        #expect(try pattern.wholeMatch(in: item.identifier) != nil, "\(item.identifier)")
        found.insert(item.identifier)
      }
    }
    #expect(found.count == 512)
  }
}
