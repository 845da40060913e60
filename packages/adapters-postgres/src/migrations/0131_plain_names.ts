import type { Migration } from './index.ts'

// Rows that processes of the previous release write later may have such names again; reading one never fails.
const UNNAMEABLE =
  '(\\U0001F3F4[\\U000E0030-\\U000E0039\\U000E0061-\\U000E007A]+\\U000E007F)|[\\u0001-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069\\U000E0000-\\U000E007F]'
const LINE_BREAKS = '[\\u0009-\\u000D\\u0085\\u2028\\u2029]+'
/** In documents, control characters are escaped. */
const FOUND =
  '[\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069\\U000E0000-\\U000E007F]|\\\\u00[01]|\\\\[bfnrt]'
/** PostgreSQL cannot read these as text. */
const UNREADABLE = '\\\\u(0000|d[89a-f])'

const cleanColumn = (table: string, column: string) =>
  `update ${table} set ${column} = clean_name(${column}) where ${column} <> clean_name(${column})`
const cleanTags = (column: string) =>
  `update profiles set ${column} =
    array(select clean_name(tag) from unnest(${column}) with ordinality as tags (tag, position) order by position)
  where exists (select from unnest(${column}) as tag where tag <> clean_name(tag))`
const cleanDocument = (table: string, column: string, members: readonly string[]) =>
  `update ${table} set ${column} = clean_members(${column}, '{${members.join(',')}}') 
  where ${column}::text ~ '${FOUND}' and ${column}::text !~ '${UNREADABLE}'`

const TYPE_DATA = [
  ...['provider', 'model', 'protocols', 'category', 'identifier', 'condition', 'location', 'subject', 'authors'],
  ...['license', 'legal_name', 'industry', 'size', 'headquarters', 'headline', 'languages', 'availability'],
  ...['address', 'opening_hours', 'sku', 'brand', 'venue'],
]

export const m0131PlainNames: Migration = [
  // A name of nothing else stays: a title may not be empty.
  `create function clean_name(name text) returns text language sql immutable as $$
    select case when name !~ '${UNNAMEABLE}' then name else coalesce(nullif(btrim(regexp_replace(regexp_replace(
      btrim(name, E' \\t\\n\\r\\u2028\\u2029'), '${LINE_BREAKS}', ' ', 'g'), '${UNNAMEABLE}', '\\1', 'g')), ''), name) end
  $$`,
  // Cleans the texts of the members with these names, or of all members when the names are null.
  `create function clean_members(value json, names text[]) returns json language plpgsql as $$
    begin
      if json_typeof(value) = 'object' then
        return (select coalesce(json_object_agg(key, clean_members(member, case when key <> all (names) then names end)
          order by position), '{}') from json_each(value) with ordinality as members (key, member, position));
      elsif json_typeof(value) = 'array' then
        return (select coalesce(json_agg(clean_members(item, names) order by position), '[]')
          from json_array_elements(value) with ordinality as items (item, position));
      elsif json_typeof(value) = 'string' and names is null then
        return to_json(clean_name(value #>> '{}'));
      end if;
      return value;
    end $$`,
  ...[
    ['accounts', 'full_name'],
    ['profiles', 'full_name'],
    ['categories', 'name'],
    ['pages', 'title'],
    ['page_versions', 'title'],
    ['api_keys', 'name'],
    ['files', 'filename'],
    ['workspaces', 'name'],
    ['workspace_documents', 'title'],
    ['workspace_document_versions', 'title'],
    ['memory_sessions', 'name'],
    ['passkeys', 'name'],
  ].map(([table = '', column = '']) => cleanColumn(table, column)),
  ...['skills', 'keywords'].map(cleanTags),
  cleanDocument('profiles', 'type_data', TYPE_DATA),
  cleanDocument('services', 'details', ['name', 'category', 'tags']),
  cleanDocument('smart_sections', 'sections', ['title']),
  cleanDocument('gates', 'config', ['label', 'document_title']),
  cleanDocument('gate_versions', 'config', ['label', 'document_title']),
  'drop function clean_members(json, text[])',
  'drop function clean_name(text)',
]
