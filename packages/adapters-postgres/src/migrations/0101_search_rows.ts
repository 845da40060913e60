import type { Migration } from './index.ts'

// A query reads the date of each match, of which a frequent word has thousands. With the words and the body of long documents stored beside
// the rows, a block holds about twenty of them instead of two. Only ranking, phrases and excluded words read more. Rows change with the next
// rebuild of the index.
export const m0101SearchRows: Migration = ['alter table search_documents_public set (toast_tuple_target = 512)']
