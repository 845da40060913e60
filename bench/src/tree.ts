import { compare, type Pair } from './measure.ts'
import { startServer } from './server-process.ts'
import type { TreeSubject } from './tree-subject.ts'

/** What of a tree is read, and how little slower that may be with 100,000 pages than with 100. */
const READS = [
  { what: 'a page', read: 'page', than: 'small', must: 1 / 1.5 },
  { what: 'the first 50 of the table of contents', read: 'contents', than: 'broad', must: 0.5 },
  { what: 'the first 50 of the list of the owner', read: 'list', than: 'broad', must: 0.5 },
] as const

/** Reads a tree of 100,000 pages and one of 100 by turns, each time from the database. */
export async function measureTree(connectionString: string | undefined) {
  const subject = await startServer<TreeSubject>('./tree-subject.ts', { connectionString })
  const { url, large } = subject.report
  const rows: ({ readonly what: string; readonly must: number } & Pair)[] = []
  for (const { what, read, than, must } of READS) {
    const [ours, theirs] = [large, subject.report[than]].map((tree) => ({
      url: url + tree[read],
      headers: { accept: 'application/json', ...(read === 'list' ? tree.headers : {}) },
    }))
    if (!ours || !theirs) throw new Error('a tree is missing')
    rows.push({ what: `${what} of 100,000 pages, nothing cached`, must, ...(await compare(ours, theirs)) })
  }
  subject.stop()
  return rows
}
