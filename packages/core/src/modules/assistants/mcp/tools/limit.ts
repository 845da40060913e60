/** The greatest `limit` of a list in a tool: results are read by models. */
export const MAX_LIMIT = 50

/** The `limit` that an argument asks for, as a member of a query. Anything but a number is left to the route, which refuses it. */
export function limitText(value: unknown): string {
  const number = Number(value)
  return Number.isNaN(number) ? String(value) : String(Math.min(number, MAX_LIMIT))
}
