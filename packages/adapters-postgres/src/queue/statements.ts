/** Tokens of PostgreSQL: strings, names, dollar-quoted bodies, comments and ends of statements. */
const TOKEN = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;/g

/** Splits SQL into statements, because some drivers prepare them, and a prepared statement cannot contain several. */
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
