import Files
import Foundation
import Gate
import Packaging
import Release
import StrictJSON
import TestSupport
import Testing
import Weights

// Damaged documents, refused by schemas and by readers.
extension ProvenanceInteropTests {
  /// A change of a document that neither its schema nor our reader accepts.
  struct Mutation: Sendable {
    let name: String
    let old: String
    let new: String

    init(_ name: String, _ old: String, _ new: String) {
      (self.name, self.old, self.new) = (name, old, new)
    }

    /// The document with the first occurrence changed; nil without one.
    func apply(to text: String) -> String? {
      guard let range = text.firstRange(of: old) else { return nil }
      return text.replacingCharacters(in: range, with: new)
    }
  }

  private static let ofManifests = [
    Mutation("extra key", #""schema":1"#, #""schema":1,"x":0"#),
    Mutation("newer schema", #""schema":1"#, #""schema":2"#),
    Mutation("schema as text", #""schema":1"#, #""schema":"1""#),
    Mutation("metric as number", #""flips":"0""#, #""flips":0"#),
    Mutation("metric as float", #""flips":"0""#, #""flips":0.5"#),
    Mutation("exponent", #""flips":"0""#, #""flips":"1e3""#),
    Mutation("leading zero", #""flips":"0""#, #""flips":"00""#),
    Mutation("no verdict", #""passed":true,"#, ""),
    Mutation("failed", #""passed":true"#, #""passed":false"#),
    Mutation("digest too long", #""sha256":""#, #""sha256":"0"#),
    Mutation("digest of other digits", #""role":"sbom","sha256":""#, #""role":"sbom","sha256":"G"#),
    Mutation("path upwards", #""path":"sbom.cdx.json""#, #""path":"../sbom.cdx.json""#),
    Mutation("absolute path", #""path":"sbom.cdx.json""#, #""path":"/sbom.cdx.json""#),
    Mutation("hidden path", #""path":"sbom.cdx.json""#, #""path":".sbom.cdx.json""#),
    Mutation("path with a newline", #""path":"sbom.cdx.json""#, #""path":"sbom.cdx.json\n""#),
    Mutation("unknown role", #""role":"sbom""#, #""role":"bill""#),
    Mutation("unknown format", #""format":"safetensors","gate""#, #""format":"pickle","gate""#),
    Mutation("unknown type", #""dtype":"float32""#, #""dtype":"bfloat16""#),
    Mutation("negative size", #""size":"#, #""size":-"#),
    Mutation("size that is no integer", #""size":"#, #""size":0."#),
    Mutation("upper-case app", #""appId":""#, #""appId":"A"#),
    Mutation("no bundle", #""bundleIdentifiers":["#, #""bundleIdentifiers":[],"x":["#),
    Mutation("bundle of one part", #""bundleIdentifiers":["#, #""bundleIdentifiers":["com","#),
    Mutation("version of two parts", #"models","version":"1.4.0""#, #"models","version":"1.4""#),
    Mutation("time of another form", "1970-01-01T00", "1970-01-01 00"),
    Mutation("option of digits", #""scheme":"#, #""sch3me":"#),
    Mutation("option that is no text", #""bits":"8""#, #""bits":8"#),
    Mutation("no options", #""options":"#, #""opts":"#),
    Mutation("another tool", #""tool":"ingot""#, #""tool":"bar""#),
    Mutation("model version 0", #""modelVersion":"#, #""modelVersion":0,"x":"#),
    Mutation("name and flow", #""flowId":"#, #""name":"x","flowId":"#),
    Mutation("unknown profile", #""profile":"strict""#, #""profile":"none""#),
    Mutation("no totals", #""totals":"#, #""total":"#),
    Mutation("limit as float", #""cosineMean":"0.999""#, #""cosineMean":0.999"#),
    Mutation("limit with a zero behind", #""cosineMean":"0.999""#, #""cosineMean":"0.9990""#),
    Mutation("limit that is none", #""cosineMean":"#, #""cosineMedian":"#),
    Mutation("limits without one", #""cosineMean":"0.999","#, ""),
    Mutation("limits as a list", #""limits":{"#, #""limits":[],"x":{"#),
    Mutation("licence that is none", #""spdx":"Apache-2.0""#, #""spdx":"Apache 2.0""#),
    Mutation("threshold as number", #""threshold":"0.5""#, #""threshold":0.5"#),
  ]

  private static let ofReceipts = [
    Mutation("extra key", #""schemaVersion":1"#, #""schemaVersion":1,"x":0"#),
    Mutation("newer schema", #""schemaVersion":1"#, #""schemaVersion":2"#),
    Mutation("no warnings", #","warnings":[]"#, ""),
    Mutation("warning that is no text", #""warnings":[]"#, #""warnings":[1]"#),
    Mutation("unknown profile", #""profile":""#, #""profile":"x"#),
    Mutation("digest too long", #""sha256":""#, #""sha256":"0"#),
    Mutation("limit as float", #""cosineMean":"0.999""#, #""cosineMean":0.999"#),
    Mutation("limit with a zero behind", #""cosineMean":"0.999""#, #""cosineMean":"0.9990""#),
    Mutation("limit that is none", #""cosineMean":"#, #""cosineMedian":"#),
    Mutation("metric of five decimals", #""max":"0","mean":"0""#, #""max":"0.00001","mean":"0""#),
    Mutation("negative flips", #""flips":0"#, #""flips":-1"#),
    Mutation("flips as text", #""flips":0"#, #""flips":"0""#),
    Mutation("no inputs", #""inputs":"#, #""inputs":0,"x":"#),
    Mutation(
      "metrics of both kinds", #""metrics":{"#, #""metrics":{"outputDrift":{},"cosine":{},"#),
    Mutation("no baseline", #""baseline":"#, #""base":"#),
    Mutation("threshold as number", #""warnings""#, #""threshold":0.5,"warnings""#),
    Mutation("files as a list", #""files":{"#, #""files":[],"x":{"#),
  ]

  /// Whoever checks a document, the same ones are refused.
  @Test func schemasAndReadersRefuseTheSame() throws {
    let archives = try Archives()
    let manifests = try archives.texts { $0.string == "manifest.json" }
    let receipts = try archives.texts { $0.string.hasPrefix("receipts/") }
    var jobs: [(name: String, job: Job)] = []
    for mutation in Self.ofManifests {
      let changed = manifests.compactMap(mutation.apply)
      #expect(!changed.isEmpty, "\(mutation.name): applies to no manifest")
      for text in changed {
        jobs.append((mutation.name, Job(by: Self.schema("manifest"), document: text)))
        #expect(throws: (any Error).self, "\(mutation.name)") {
          try Manifest(Array(text.utf8), origin: "m")
        }
      }
    }
    for mutation in Self.ofReceipts {
      let changed = receipts.compactMap(mutation.apply)
      #expect(!changed.isEmpty, "\(mutation.name): applies to no receipt")
      for text in changed {
        jobs.append((mutation.name, Job(by: Self.schema("receipt"), document: text)))
        #expect(throws: (any Error).self, "\(mutation.name)") {
          try RecordedReceipt(Array(text.utf8), origin: "r")
        }
      }
    }
    for (job, verdict) in zip(jobs, try judge(jobs.map(\.job))) {
      #expect(verdict.hasPrefix("refused: "), "\(job.name): \(job.job.document)")
    }
  }

}
