import type { Migration } from './index.ts'

// A query reads the date of each match, of which a frequent word has thousands. With the words and the body stored beside the rows, a
// block holds twenty rows instead of two; only the matches that are ranked read more. Rows change with the next rebuild of the index.
export const m0101SearchRows: Migration = ['alter table search_documents_public set (toast_tuple_target = 512)']
