const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Functions of PostgreSQL's pg_catalog that a reading statement may call: those that compute from their arguments, from
 * rows, or from the catalogue's description of tables. What waits, locks, notifies, reads files, runs a text as SQL,
 * changes settings, touches sequences, large objects or other sessions is not among them
 * (postgresql.org/docs/current/functions.html).
 */
export const postgresFunctions: ReadonlySet<string> = new Set([
  // aggregates and windows
  ...names(`
    any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank
    every first_value grouping json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique
    json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict
    jsonb_object_agg_unique jsonb_object_agg_unique_strict lag last_value lead max min mode nth_value ntile percent_rank
    percentile_cont percentile_disc range_agg range_intersect_agg rank regr_avgx regr_avgy regr_count regr_intercept
    regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop stddev_samp string_agg sum var_pop
    var_samp variance xmlagg`),
  // numbers
  ...names(`
    abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd degrees
    div erf erfc exp factorial floor gcd generate_series generate_subscripts lcm ln log log10 min_scale mod pi pow power
    radians random round scale sign sin sind sinh sqrt tan tand tanh trim_scale trunc width_bucket`),
  // text and bytes
  ...names(`
    ascii bit_count bit_length btrim casefold char_length character_length chr concat concat_ws convert convert_from
    convert_to crc32 crc32c decode encode format get_bit get_byte initcap is_normalized left length like_escape lower
    lpad ltrim md5 normalize octet_length overlay parse_ident position quote_ident quote_literal quote_nullable
    regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim set_bit set_byte sha224 sha256 sha384
    sha512 similar_escape similar_to_escape split_part starts_with string_to_array string_to_table strpos substr
    substring to_ascii to_bin to_hex to_oct translate unicode_assigned unistr upper`),
  // dates and times
  ...names(`
    age clock_timestamp date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days justify_hours
    justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps
    statement_timestamp timeofday timezone to_char to_date to_number to_timestamp transaction_timestamp`),
  // arrays, ranges, enums
  ...names(`
    array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
    array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_string
    array_upper cardinality enum_first enum_last enum_range isempty lower_inc lower_inf multirange range_merge
    trim_array unnest upper_inc upper_inf`),
  // JSON and XML
  ...names(`
    array_to_json json_array_elements json_array_elements_text json_array_length json_build_array json_build_object
    json_each json_each_text json_extract_path json_extract_path_text json_object json_object_keys json_populate_record
    json_populate_recordset json_scalar json_serialize json_strip_nulls json_to_record json_to_recordset json_typeof
    jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each
    jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys
    jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array
    jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz
    jsonb_populate_record jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls
    jsonb_to_record jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb xml_is_well_formed xmlcomment xmlexists
    xpath xpath_exists`),
  // text search
  ...names(`
    array_to_tsvector numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery to_tsvector ts_delete
    ts_filter ts_headline ts_rank ts_rank_cd tsquery_phrase tsvector_to_array websearch_to_tsquery`),
  // networks and shapes
  ...names(`
    abbrev area broadcast center diagonal diameter family height host hostmask inet_merge inet_same_family isclosed
    isopen masklen netmask network npoints radius set_masklen slope width`),
  // identities and comparison
  ...names(`
    gen_random_uuid hashtext num_nonnulls num_nulls pg_column_size pg_size_bytes pg_size_pretty pg_typeof uuidv4 uuidv7
    uuid_extract_timestamp uuid_extract_version version`),
  // descriptions of tables
  ...names(`
    col_description current_database current_schema current_schemas format_type has_any_column_privilege
    has_column_privilege has_schema_privilege has_table_privilege obj_description pg_collation_for pg_get_constraintdef
    pg_get_expr pg_get_indexdef pg_get_partkeydef pg_get_viewdef pg_indexes_size pg_relation_size pg_table_is_visible
    pg_table_size pg_total_relation_size shobj_description to_regclass to_regnamespace to_regtype`),
]);

/** Functions that only a statement that may write calls, besides. */
export const postgresWriteFunctions: ReadonlySet<string> = new Set(
  names('currval lastval merge_action nextval setval'),
);
