// The least that an app can do with the client, to see what linking it costs: an update.
import Foundation
import IngotClient
import IngotURLSession

@main
struct Main {
  struct NoCheck: ModelCheck {
    func check(_ folder: String) {}
  }

  static func main() async throws {
    let words = CommandLine.arguments
    let client = try UpdateClient(
      UpdateClient.Configuration(
        appID: words[1], bundleIdentifier: words[2], sdkVersion: words[3], installID: words[4],
        folder: words[5], root: []),
      transport: URLSessionTransport(base: words[6]), check: NoCheck())
    print(try await client.update())
  }
}
