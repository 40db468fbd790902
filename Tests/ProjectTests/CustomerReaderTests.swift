import Packaging
import ProjectFixtures
import TestSupport
import Testing

@testable import Project

@Suite struct CustomerReaderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let faults: [String]
    var testDescription: String { name }

    init(_ name: String, text: String, _ faults: String...) {
      self.name = name
      self.text = text
      self.faults = faults
    }

    /// One customer with some text replaced.
    init(_ name: String, _ old: String, _ new: String, faults: String...) {
      self.name = name
      let text = Case.sound
      let edited = text.firstRange(of: old).map {
        text[..<$0.lowerBound] + new + text[$0.upperBound...]
      }
      self.text = edited.map(String.init) ?? ""
      self.faults = faults
    }

    static let sound = """
      [{"bundle_identifiers": ["com.customer.app"],
        "app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210",
        "customModels": [{"flowId": 8362, "flowName": "onboarding_upsell", "modelVersion": 73},
                         {"flowId": 8363, "flowName": "churn", "modelVersion": 1}]}]
      """
  }

  static let cases = [
    Case("sound", text: Case.sound),
    Case("further keys", "\"flowId\": 8362", "\"flowId\": 8362, \"owner\": {\"x\": [1]}"),
    Case("empty file", text: "", "1:1: the text ends where a value is expected"),
    Case("an object", text: "{}", "1:1: is an object, expected an array of customers"),
    Case("no customers", text: "[]", "1:1: the list of customers is empty"),
    Case("a number", text: "[1]", "1:2: a customer is a number, expected an object"),
    Case("cut short", text: "[{", "1:3: a key in quotes is expected here"),
    Case(
      "byte order mark", text: "\u{FEFF}[]",
      "1:1: the text starts with a byte order mark; save it as plain UTF-8"),
    Case("text behind", text: "[] x", "1:4: text after the value"),
    Case("trailing comma", text: "[1,]", "1:4: a value is expected here"),
    Case("NaN", text: "[NaN]", "1:2: a value is expected here"),
    Case(
      "key twice", text: "[{\"app_id\": 1, \"app_id\": 2}]",
      "1:16: the key 'app_id' appears twice in one object"),
    Case(
      "lone surrogate", text: "[\"\\ud800\"]", "1:8: a lone surrogate in a \\u escape"),
    Case(
      "nesting", text: String(repeating: "[", count: 100_000),
      "1:66: values nest deeper than 64 levels"),
    Case(
      "nothing in it", text: "[{}]", "1:2: the key 'app_id' is missing",
      "1:2: the key 'bundle_identifiers' is missing"),
    Case(
      "app id in upper case", "c2d67cdb-e117", "C2D67CDB-e117",
      faults: "2:13: 'app_id' is 'C2D67CDB-e117-4c3e-acca-2ae7f1a42210', expected a UUID in lower "
        + "case [write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210]"),
    Case(
      "app id with a path", "c2d67cdb-e117", "../c2d67cdb-e117",
      faults: "2:13: 'app_id' is '../c2d67cdb-e117-4c3e-acca-2ae7f1a42210', expected a UUID in "
        + "lower case"),
    Case(
      "app id as number", "\"c2d67cdb-e117-4c3e-acca-2ae7f1a42210\"", "7",
      faults: "2:13: 'app_id' is a number, expected a string"),
    Case(
      "bundle identifier of one part", "com.customer.app", "app",
      faults: "1:26: a bundle identifier is the string \"app\", "
        + "expected a name such as com.example.app "
        + "[a bundle identifier has two parts or more, with a '.' between them]"),
    Case(
      "bundle identifier twice", "[\"com.customer.app\"]",
      "[\"com.customer.app\", \"com.customer.app\"]",
      faults: "1:46: bundle identifier 'com.customer.app' appears twice, first at 1:26 "
        + "[remove one]"),
    Case(
      "no bundle identifier", "[\"com.customer.app\"]", "[]",
      faults: "1:25: 'bundle_identifiers' is empty "
        + "[name the apps that may load the package, such as com.example.app]"),
    Case(
      "flow name with a path", "onboarding_upsell", "../../etc/passwd",
      faults: "3:49: 'flowName' is '../../etc/passwd', expected 1 to 64 of a-z 0-9 _"),
    Case(
      "flow name with an escape", "onboarding_upsell", "a\\u001b[2J",
      faults: "3:49: 'flowName' is 'a\\u001b[2J', expected 1 to 64 of a-z 0-9 _"),
    Case(
      "flow named like a device", "\"onboarding_upsell\"", "\"nul\"",
      faults: "3:49: 'flowName' is 'nul', the name of a device, "
        + "which cannot be unpacked on Windows [rename the flow, and its folder too]"),
    Case(
      "flow name in upper case", "onboarding_upsell", "Onboarding",
      faults: "3:49: 'flowName' is 'Onboarding', expected 1 to 64 of a-z 0-9 _ "
        + "[write it as onboarding, and its folder too]"),
    Case(
      "version 0", "\"modelVersion\": 73", "\"modelVersion\": 0",
      faults: "3:86: 'modelVersion' is the number 0, expected a whole number from 1"),
    Case(
      "version 1.5", "\"modelVersion\": 73", "\"modelVersion\": 1.5",
      faults: "3:86: 'modelVersion' is the number 1.5, expected a whole number from 1"),
    Case(
      "version beyond all bounds", "\"modelVersion\": 73", "\"modelVersion\": 1e400",
      faults: "3:86: 'modelVersion' is the number 1e400, expected a whole number from 1"),
    Case(
      "flow id as text", "\"flowId\": 8362", "\"flowId\": \"8362\"",
      faults: "3:31: 'flowId' is a string of 4 characters, expected a whole number from 0"),
    Case(
      "no flow name", "\"flowName\": \"onboarding_upsell\", ", "",
      faults: "3:20: the key 'flowName' is missing"),
    Case(
      "flow twice", "\"churn\"", "\"onboarding_upsell\"",
      faults: "4:20: flow 'onboarding_upsell' appears twice for this app, first at 3:20 "
        + "[an app gets one version of a flow; remove one of the two]"),
    Case(
      "flow id twice", "8363", "8362",
      faults: "4:20: flowId 8362 appears twice for this app, first at 3:20 "
        + "[each flow has an id of its own]"),
    Case(
      "app twice", Case.sound, String(Case.sound.dropLast()) + "," + Case.sound.dropFirst(),
      faults: "4:103: bundle identifier 'com.customer.app' is that of another app too, at 1:26 "
        + "[one app has one app_id; correct one of the two]",
      "5:13: app_id 'c2d67cdb-e117-4c3e-acca-2ae7f1a42210' appears twice, first at 2:13 "
        + "[merge the two entries, or give each app its own id]"),
    Case(
      "app id without hyphens", "c2d67cdb-e117-4c3e-acca-2ae7f1a42210",
      "{C2D67CDBe1174c3eacca2ae7f1a42210}",
      faults: "2:13: 'app_id' is '{C2D67CDBe1174c3eacca2ae7f1a42210}', expected a UUID in lower "
        + "case [write it as c2d67cdb-e117-4c3e-acca-2ae7f1a42210]"),
    Case(
      "app id cut short", "c2d67cdb-e117-4c3e-acca-2ae7f1a42210",
      "c2d67cdb-e117-4c3e-acca-2ae7f1a4221",
      faults: "2:13: 'app_id' is 'c2d67cdb-e117-4c3e-acca-2ae7f1a4221', expected a UUID in lower "
        + "case [a UUID has 32 hexadecimal digits, this one 31]"),
    Case(
      "bundle identifier with an underscore", "com.customer.app", "com.my_customer.app",
      faults: "1:26: a bundle identifier is the string \"com.my_customer.app\", "
        + "expected a name such as com.example.app "
        + "['_' is not allowed; is it 'com.my-customer.app'?]"),
    Case(
      "bundle identifier with a space", "com.customer.app", "com.customer.app ",
      faults: "1:26: a bundle identifier is the string \"com.customer.app \", "
        + "expected a name such as com.example.app [write it as com.customer.app]"),
    Case(
      "wildcard", "com.customer.app", "com.customer.*",
      faults: "1:26: a bundle identifier is the string \"com.customer.*\", "
        + "expected a name such as com.example.app [name one app; a wildcard stands for many]"),
    Case(
      "flow name with a hyphen", "onboarding_upsell", "onboarding-upsell",
      faults: "3:49: 'flowName' is 'onboarding-upsell', expected 1 to 64 of a-z 0-9 _ "
        + "[write it as onboarding_upsell, and its folder too]"),
    Case(
      "misspelt optional key", "\"customModels\": [{", "\"custommodel\": [{",
      faults: "3:18: the key 'custommodel' means nothing here [did you mean 'customModels'?]"),
    Case(
      "misspelt needed key", "\"app_id\"", "\"appId\"",
      faults: "1:2: the key 'app_id' is missing",
      "2:12: the key 'appId' means nothing here [did you mean 'app_id'?]"),
  ]

  @Test(arguments: cases)
  func findsEveryFault(_ item: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("customers.json", item.text)
    let log = ContractSection.Log()
    let list = CustomerReader.read(path, log: log)
    log.faults.sort(first: path)
    #expect(lines(log.faults) == item.faults)
    #expect(log.faults.faults.allSatisfy { $0.place.file == path })
    if item.faults.isEmpty {
      #expect(!log.faults.hasErrors)
      #expect(list?.customers.first?.flows.map(\.name) == ["onboarding_upsell", "churn"])
      #expect(list?.customers.first?.app.bundleIdentifiers == ["com.customer.app"])
    }
  }

  /// A table without rows would pass.
  @Test func thereAreCases() {
    #expect(Self.cases.count >= 20)
  }

  @Test func listsNoMoreFaultsThanAnyoneReads() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("c.json", "[\(String(repeating: "0,", count: 100_000))0]")
    let log = ContractSection.Log()
    #expect(CustomerReader.read(path, log: log)?.customers.isEmpty == true)
    #expect(log.faults.faults.count == 1001)
    #expect(
      lines(log.faults).last == "1:2002: there are more faults from here on; mend these first")
  }

  @Test func aHundredThousandCustomers() throws {
    let entries = (0..<100_000).map { index in
      let id = String(index, radix: 16)
      let digits = String(repeating: "0", count: 12 - id.count) + id
      let flows = ["a", "b", "c"].enumerated().map { flow, name in
        #"{"flowId": \#(flow), "flowName": "\#(name)", "modelVersion": 1}"#
      }
      return """
        {"bundle_identifiers": ["com.c\(index).app"],
         "app_id": "c2d67cdb-e117-4c3e-acca-\(digits)",
         "customModels": [\(flows.joined(separator: ","))]}
        """
    }
    let scratch = try TemporaryFolder()
    let path = try scratch.write("c.json", "[\(entries.joined(separator: ","))]")
    let log = ContractSection.Log()
    #expect(CustomerReader.read(path, log: log)?.customers.count == 100_000)
    #expect(log.faults.isEmpty)
  }
}
