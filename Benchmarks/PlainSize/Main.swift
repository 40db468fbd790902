// What Foundation's networking alone takes in a program, to compare the client with.
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
struct Main {
  static func main() async throws {
    guard let address = URL(string: CommandLine.arguments[1]) else { exit(64) }
    print(try await URLSession.shared.data(from: address).0.count)
  }
}
