import Commands

@main
enum Main {
  static func main() { IngotCommand.main() }
}
