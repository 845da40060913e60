// The tree of the documents of a workspace. Callers hold the lock of the workspace.
import { sql } from 'kysely'
import { isUuid } from '../rows.ts'
import type { WorkspaceDb } from '../workspace-tables.ts'

/** Siblings: the documents below a parent, or at the top level. */
interface Place {
  readonly workspaceId: string
  readonly parentId: string | null
  /** A document that is not counted as one of them. */
  readonly except?: string | undefined
}

/** The depth of a document: 1 at the top level; undefined when the workspace has no such document. */
export async function depthOf(db: WorkspaceDb, workspaceId: string, id: string): Promise<number | undefined> {
  if (!isUuid(id)) return undefined
  const { count } = await db
    .withRecursive('line', (cte) =>
      cte
        .selectFrom('workspace_documents')
        .select(['id', 'parent_id'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .union(
          cte
            .selectFrom('workspace_documents')
            .innerJoin('line', 'line.parent_id', 'workspace_documents.id')
            .select(['workspace_documents.id', 'workspace_documents.parent_id']),
        ),
    )
    .selectFrom('line')
    .select((query) => query.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count) === 0 ? undefined : Number(count)
}

/** A document and all documents below it, with their depth below its parent: 1 for itself. */
export async function listSubtree(db: WorkspaceDb, id: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .withRecursive('below', (cte) =>
      cte
        .selectFrom('workspace_documents')
        .select(['id', sql<number>`1`.as('depth')])
        .where('id', '=', id)
        .unionAll(
          cte
            .selectFrom('workspace_documents')
            .innerJoin('below', 'below.id', 'workspace_documents.parent_id')
            .select(['workspace_documents.id', sql<number>`below.depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('below')
    .selectAll()
    .execute()
  return new Map(rows.map((row) => [row.id, row.depth]))
}

/**
 * Moves the siblings with a position or a higher one by one place, and returns the position that is free. Null returns the
 * position after all siblings, and so does a position after them.
 */
export async function makeRoom(db: WorkspaceDb, place: Place, position: number | null): Promise<number> {
  const { workspaceId, parentId, except } = place
  const parent = parentId === null ? sql<boolean>`parent_id is null` : sql<boolean>`parent_id = ${parentId}::uuid`
  const others = except === undefined ? sql<boolean>`true` : sql<boolean>`id <> ${except}::uuid`
  const { last } = await db
    .selectFrom('workspace_documents')
    .select(sql<string>`coalesce(max(position) + 1, 0)`.as('last'))
    .where('workspace_id', '=', workspaceId)
    .where(parent)
    .where(others)
    .executeTakeFirstOrThrow()
  if (position === null || position >= Number(last)) return Number(last)
  await db
    .updateTable('workspace_documents')
    .set({ position: sql<number>`position + 1` })
    .where('workspace_id', '=', workspaceId)
    .where(parent)
    .where(others)
    .where('position', '>=', sql<number>`${position}::bigint`)
    .execute()
  return position
}
