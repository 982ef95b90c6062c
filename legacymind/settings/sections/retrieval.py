"""The settings of ``[retrieval]``."""

from dataclasses import dataclass
from functools import partial
from typing import Annotated

from pydantic import Field

from legacymind.settings.kinds import NOT_BOOL, Cosines, Most, Pools, Positive, Threshold, Weights
from legacymind.settings.setting import setting

_setting = partial(setting, "retrieval")


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """What a thought recalls."""

    t1: Threshold | None = _setting(
        None,
        "LEGACYMIND_INJECT_T1",
        "Least similarity of knowledge at scale 1. Unset: relatedness decides.",
    )
    t2: Threshold | None = _setting(
        None,
        "LEGACYMIND_INJECT_T2",
        "Least similarity of knowledge at scale 2. Unset: relatedness decides.",
    )
    t3: Threshold | None = _setting(
        None,
        "LEGACYMIND_INJECT_T3",
        "Least similarity of knowledge from scale 3. Unset: relatedness decides.",
    )
    floor: Threshold | None = _setting(
        None,
        "LEGACYMIND_INJECT_FLOOR",
        "Similarity that counts as unrelated, and least similarity of the fallback. Unset: the model's.",
    )
    thought_thresholds: Cosines = _setting(
        "",
        "LEGACYMIND_THOUGHT_THRESHOLDS",
        "Least similarity of thoughts, such as `.8,.75,.7,.65,.6`. Empty: relatedness decides. "
        "`; MODE=…` adds numbers for one mode, here and below.",
    )
    thoughts_k: Most = _setting(
        "2,5,8,12,20", "LEGACYMIND_RECALL_THOUGHTS", "Largest number of thoughts to recall."
    )
    knowledge_k: Most = _setting(
        "5,10,20,20,20",
        "LEGACYMIND_RECALL_KNOWLEDGE",
        "Largest number of entities and observations to recall.",
    )
    pools: Pools = _setting(
        "40,40,40,60,60",
        "LEGACYMIND_RECALL_POOLS",
        "Number of thoughts found by vector, and as many by full text, that recall ranks.",
    )
    weights: Weights = _setting(
        "question=.55,.25,.15,.05,3; conclude=.55,.25,.15,.05,3; plan=.45,.1,.35,.1,14; "
        "build=.5,.05,.35,.1,21; debug=.6,.1,.2,.1,30; stuck=.6,.1,.2,.1,30",
        "LEGACYMIND_RECALL_WEIGHTS",
        "Weights of relevance, recency, salience and access in a score, and the days in which recency "
        "decays to 1/e.",
    )
    candidates: Positive = _setting(
        500,
        "LEGACYMIND_KG_CANDIDATES",
        "Largest number of candidates of each kind that one recall considers.",
    )
    beyond_window: bool = _setting(
        True,
        "LEGACYMIND_BEYOND_WINDOW",
        "Recall at most two thoughts from before the window at scales 1 to 3 if they are the most relevant.",
    )
    mass_weight: Annotated[float, Field(ge=0, le=1), NOT_BOOL] = _setting(
        0.0,
        "LEGACYMIND_MASS_WEIGHT",
        "Weight of the mass that `legacymind analyze` computes in the ranking of searches. 0: not used.",
    )
    rerank_candidates: Annotated[int, Field(ge=2, le=100), NOT_BOOL] = _setting(
        30,
        "LEGACYMIND_RERANK_CANDIDATES",
        "Number of the best hits of a search that `reranker` orders again.",
    )
    submode_tuning: bool = _setting(
        True, "LEGACYMIND_SUBMODE_RETRIEVAL", "Let a submode adjust the thresholds."
    )
