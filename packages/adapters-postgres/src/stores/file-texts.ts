import type { FileText, FileTextStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { isText, json, toDate } from '../rows.ts'

export function fileTexts(db: Db): FileTextStore {
  return {
    async get(sha256, converter) {
      if (!isText(sha256) || !isText(converter)) return undefined
      const row = await db
        .selectFrom('file_texts')
        .selectAll()
        .where('sha256', '=', sha256)
        .where('converter', '=', converter)
        .executeTakeFirst()
      return row && toFileText(row)
    },

    async keep({ sha256, converter, outcome, createdAt }) {
      const stored = db.selectFrom('files').where('sha256', '=', sha256).where('state', '=', 'stored')
      const file = await stored.select('id').limit(1).forKeyShare().executeTakeFirst()
      if (!file) return []
      const isRead = 'markdown' in outcome
      const text = {
        converter,
        markdown: isRead ? outcome.markdown : null,
        warnings: json(isRead ? outcome.warnings : []),
        refusal: isRead ? null : json(outcome.refusal),
        created_at: createdAt,
      }
      await db
        .insertInto('file_texts')
        .values({ sha256, ...text })
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet(text))
        .execute()
      const files = await stored.select(['id', 'profile_id']).orderBy('id').execute()
      return files.flatMap(({ id, profile_id: profileId }) =>
        profileId === null ? [] : [{ id: Number(id), profileId: Number(profileId) }],
      )
    },

    async deleteUnused(limit) {
      return deleteSelected(db, 'file_texts', ['sha256'], (texts) =>
        texts
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('files').select('files.id').whereRef('files.sha256', '=', 'file_texts.sha256'))),
          )
          .limit(limit),
      )
    },
  }
}

const toFileText = ({ sha256, converter, markdown, warnings, refusal, created_at }: Row<'file_texts'>): FileText => ({
  sha256,
  converter,
  outcome: refusal ? { refusal } : { markdown: markdown ?? '', warnings },
  createdAt: toDate(created_at),
})
