import Deltas
import Files
import StrictJSON
import TUF
import Updates

/// What the devices of one customer fetch: each step of metadata, as our client takes it; and, simulated, thirty
/// days of many devices, with the rules that devices choose versions by and the sizes of a real repository.
///
/// usage: ingot-simulate steps REPOSITORY APP SECONDS          bytes of metadata of each step
///        ingot-simulate fleet REPOSITORY APP SECONDS DEVICES JOBS
///        ingot-simulate delta OLD NEW DELTA                 what a publisher makes of two files
///
/// SECONDS since 1970 is the moment that metadata are judged by. A fleet needs a repository with four versions: the
/// one that devices have, its successor, a challenger that is bad, and the one that mends it.
@main
enum Main {
  static func main() async throws {
    let words = CommandLine.arguments
    if words.count == 5, words[1] == "delta" { return try delta(words[2], words[3], words[4]) }
    guard words.count >= 5, let seconds = Int(words[4]) else { return usage() }
    let place = (repository: words[2], app: words[3])
    let customer = CustomerRepository(place.repository, appID: place.app)
    let entries = try customer.required().entries
    let steps = try await MetadataSteps(
      of: customer, in: place.repository, now: UpdateTime(seconds: seconds))
    switch (words[1], words.count) {
    case ("steps", 5): System.write(steps.json.pretty + "\n", to: 1)
    case ("fleet", 7):
      guard let devices = Int(words[5]), let jobs = Int(words[6]), entries.count == 4 else {
        return usage()
      }
      let publisher = VersionPublisher(
        place.repository, try BlobFolder(place.repository, workers: 1), appID: place.app)
      let releases = try entries.map { Release(of: try publisher.pack($0), $0.offer) }
      var fleet = Fleet(DeviceRules(releases, steps), devices: devices, jobs: jobs)
      fleet.run(days: Scenario.days)
      System.write(fleet.report.pretty + "\n", to: 1)
    default: usage()
    }
  }

  private static func delta(_ oldPath: String, _ newPath: String, _ path: String) throws {
    let (old, new) = (try MappedFile(path: oldPath), try MappedFile(path: newPath))
    var file = try AtomicFile(path: path)
    try DeltaWriter(of: new, FileIdentity(of: new), workers: 2)
      .write(from: old, FileIdentity(of: old), to: &file)
    try file.commit()
  }

  private static func usage() {
    System.write(
      "usage: ingot-simulate steps REPOSITORY APP SECONDS\n"
        + "       ingot-simulate fleet REPOSITORY APP SECONDS DEVICES JOBS\n"
        + "       ingot-simulate delta OLD NEW DELTA\n", to: 2)
  }
}
