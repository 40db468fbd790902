import Commands

@main
enum Main {
  static func main() { Program.main() }
}
