/** What PostgreSQL reads as one: a text, a name, a body between dollars, a comment, or the end of a statement. */
const TOKEN = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;/g

/** Splits SQL into its statements: a prepared statement is one, and some drivers prepare all of them. */
export function statementsOf(sql: string): readonly string[] {
  const statements: string[] = []
  let from = 0
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (token !== ';') continue
    statements.push(sql.slice(from, index).trim())
    from = index + 1
  }
  statements.push(sql.slice(from).trim())
  return statements.filter((statement) => statement !== '')
}
