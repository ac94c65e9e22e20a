const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Statements that read, by the names of their nodes in PostgreSQL's parse tree (src/include/nodes/parsenodes.h). */
export const readingStatements: ReadonlySet<string> = new Set(
  names('SelectStmt ExplainStmt VariableShowStmt'),
);

/** Statements that a connection with access to write may run, besides. */
export const writingStatements: ReadonlySet<string> = new Set(
  names(`
    InsertStmt UpdateStmt DeleteStmt MergeStmt CreateStmt CreateTableAsStmt CreateSeqStmt AlterSeqStmt AlterTableStmt
    RenameStmt DropStmt IndexStmt ViewStmt TruncateStmt CommentStmt`),
);

/** Every node that a reading statement may be made of. */
export const readingNodes: ReadonlySet<string> = new Set([
  ...readingStatements,
  ...names(`
    A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean BooleanTest CTECycleClause
    CTESearchClause CaseExpr CaseWhen CoalesceExpr CollateClause ColumnDef ColumnRef CommonTableExpr DefElem Float
    FuncCall GroupingFunc GroupingSet Integer JoinExpr JsonAggConstructor JsonArgument JsonArrayAgg JsonArrayConstructor
    JsonArrayQueryConstructor JsonBehavior JsonFormat JsonFuncExpr JsonIsPredicate JsonKeyValue JsonObjectAgg
    JsonObjectConstructor JsonOutput JsonParseExpr JsonReturning JsonScalarExpr JsonSerializeExpr JsonTable
    JsonTableColumn JsonTablePathSpec JsonValueExpr List MinMaxExpr NamedArgExpr NullTest RangeFunction RangeSubselect
    RangeTableFunc RangeTableFuncCol RangeTableSample RangeVar ResTarget RowExpr SQLValueFunction SortBy String SubLink
    TypeCast TypeName WindowDef WithClause XmlExpr XmlSerialize`),
]);

/** Nodes of writing statements, besides. */
export const writingNodes: ReadonlySet<string> = new Set([
  ...writingStatements,
  ...names(`
    AlterTableCmd Constraint IndexElem InferClause IntoClause LockingClause MergeWhenClause MultiAssignRef
    OnConflictClause PartitionBoundSpec PartitionCmd PartitionElem PartitionRangeDatum PartitionSpec ReturningClause
    ReturningOption SetToDefault TableLikeClause`),
]);

/** What DROP, COMMENT, RENAME and ALTER may name. */
export const writableObjects: ReadonlySet<string> = new Set(
  names(
    'OBJECT_TABLE OBJECT_VIEW OBJECT_MATVIEW OBJECT_INDEX OBJECT_SEQUENCE OBJECT_COLUMN OBJECT_TABCONSTRAINT',
  ),
);
