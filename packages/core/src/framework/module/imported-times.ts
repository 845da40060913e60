/**
 * A time of an archive, whose author may have written any: one before 1970 or after `now` becomes that.
 *
 * @param now - when it is imported
 */
export const importedTime = (time: Date, now: Date): Date =>
  new Date(Math.min(Math.max(time.getTime(), 0), now.getTime()))

/** The times of a record of an archive. Its last change is not before its creation. */
export function importedTimes(
  { created_at, updated_at }: { readonly created_at: Date; readonly updated_at: Date },
  now: Date,
): { readonly createdAt: Date; readonly updatedAt: Date } {
  const createdAt = importedTime(created_at, now)
  return { createdAt, updatedAt: importedTime(new Date(Math.max(updated_at.getTime(), createdAt.getTime())), now) }
}
