"""The released solvers: what each minimises, and what it says of an answer with which it stops by itself.

``converged`` restates its own documentation, with the place; a claim is listed only where that names a quantity and a
bound of it that the answer shows. Where it names a change from step to step, or nothing, there is no claim to be false:
"tolerance of the stopping criterion" promises nothing that can be checked. How each objective becomes P stands in its
driver.
"""

from dataclasses import dataclass, replace

SK_NET = "the objective's duality gap is at most tol ||y||^2/n (ElasticNet: tol; dual_gap_)"
SVIO = "dual maximal violation <= eps (README: -e, -s 1, 3, 4 and 7)"
NEWTON = "|f'(w)|_2 <= eps min(pos, neg)/l |f'(w0)|_2 (README: -e, -s 0 and 2)"
CHANGE = "a change from step to step is small: "
NOTHING = "names no quantity: "


@dataclass(frozen=True)
class Released:
    """One solver with one setting, at its default tolerance.

    Attributes
    ----------
    name : as in reports.
    environment, setting : of ``environments`` and of the driver.
    loss, net : of P, and whether lam = l1 > 0.
    tol : the default.
    converged : what it says of its answer, restated, with the place.
    claims : names of ``claims.CLAIMS``; none where nothing is said that an answer shows.
    count : how many of the tiny problems it is asked, where a call or a judgement is slow.
    """

    name: str
    environment: str
    setting: str
    loss: str
    net: bool
    tol: float
    converged: str
    claims: tuple[str, ...] = ()
    count: int | None = None

    @property
    def margin(self) -> bool:
        """Whether y are labels."""
        return self.loss != "squared"


def _sklearn() -> list[Released]:
    env, l2 = "scikit-learn", NOTHING + "tol, tolerance for stopping criteria"
    grad = "newton-cg and lbfgs stop when max |g_i| <= tol (docstring of _logistic_regression_path)"
    ridge = {
        "auto": NOTHING + "a direct solution",
        "svd": NOTHING + "tol has no impact",
        "cholesky": NOTHING + "tol has no impact",
        "lsqr": NOTHING + "atol and btol of scipy's lsqr",
        "sparse_cg": "norm of residuals smaller than tol (Ridge: tol)",
        "sag": CHANGE + "relative change of coef smaller than tol (Ridge: tol)",
        "saga": CHANGE + "relative change of coef smaller than tol (Ridge: tol)",
    }
    found = [
        Released(f"LinearSVC(loss={loss})", env, f"LinearSVC-{loss}", loss.replace("_", "-"), False, 1e-4, l2)
        for loss in ("hinge", "squared_hinge")
    ]
    for solver in ("lbfgs", "newton-cg", "newton-cholesky", "liblinear", "sag", "saga"):
        slope = solver in ("lbfgs", "newton-cg")
        found.append(
            Released(
                f"LogisticRegression(solver={solver})",
                env,
                f"LogisticRegression-{solver}",
                "logistic",
                False,
                1e-4,
                grad if slope else l2,
                ("slope",) if slope else (),
            )
        )
    for solver, words in ridge.items():
        found.append(
            Released(
                f"Ridge(solver={solver})",
                env,
                f"Ridge-{solver}",
                "squared",
                False,
                1e-4,
                words,
                ("residual",) if solver == "sparse_cg" else (),
            )
        )
    found.append(
        Released(
            "ElasticNet",
            env,
            "ElasticNet",
            "squared",
            True,
            1e-4,
            SK_NET,
            ("gap of targets", "printed gap", "printed sign"),
        )
    )
    sgd = CHANGE + "loss > best_loss - tol for n_iter_no_change epochs (SGD: tol)"
    return [
        *found,
        Released("SGDClassifier(loss=hinge)", env, "SGDClassifier-hinge", "hinge", False, 1e-3, sgd),
        Released("SGDClassifier(loss=log_loss)", env, "SGDClassifier-log_loss", "logistic", False, 1e-3, sgd),
        Released("SGDRegressor(penalty=elasticnet)", env, "SGDRegressor", "squared", True, 1e-3, sgd),
    ]


def _liblinear(env: str, title: str) -> list[Released]:
    kinds = (
        (0, "logistic", 0.01, NEWTON, "relative slope"),
        (1, "squared-hinge", 0.1, SVIO, "squared violation"),
        (2, "squared-hinge", 0.01, NEWTON, "relative slope"),
        (3, "hinge", 0.1, SVIO, "violation"),
        (7, "logistic", 0.1, SVIO, ""),
    )
    return [
        Released(f"{title} -s {k}", env, f"s{k}", loss, False, tol, words, (claim,) if claim else ())
        for k, loss, tol, words, claim in kinds
    ]


def _others() -> list[Released]:
    cyanure = "the algorithm stops with the guarantee f(x_t) - f^* <= tol f(x_t) (Classifier, Regression: tol)"
    skglm = NOTHING + "tol, stopping criterion for the optimization; stop_crit_"
    glum = (
        "max |g_i| <= tol for irls-ls and lbfgs, the sum of the smallest subgradients for the CD solver (gradient_tol)"
    )
    snap = CHANGE + "maximum change in model coefficients is less than tol (tol)"
    sdca = "a duality gap, printed with verbose (tol: stopping criterion tolerance)"
    conic = NOTHING + 'of P; "optimal" is in terms of its own cone program'
    return [
        Released("cyanure.Regression(square)", "cyanure", "square", "squared", False, 1e-3, cyanure, ("relative gap",)),
        Released(
            "cyanure.Regression(square, elasticnet)",
            "cyanure",
            "square",
            "squared",
            True,
            1e-3,
            cyanure,
            ("relative gap",),
        ),
        Released(
            "cyanure.Classifier(logistic)", "cyanure", "logistic", "logistic", False, 1e-3, cyanure, ("relative gap",)
        ),
        Released(
            "cyanure.Classifier(sqhinge)",
            "cyanure",
            "sqhinge",
            "squared-hinge",
            False,
            1e-3,
            cyanure,
            ("relative gap",),
        ),
        Released(
            "celer.ElasticNet",
            "celer",
            "ElasticNet",
            "squared",
            True,
            1e-4,
            "the duality gap is smaller than tol ||y||^2/n (ElasticNet: tol; dual_gap_)",
            ("gap of targets", "printed gap", "printed sign"),
        ),
        Released("skglm.ElasticNet", "skglm", "ElasticNet", "squared", True, 1e-4, skglm),
        Released("skglm.SparseLogisticRegression", "skglm", "SparseLogisticRegression", "logistic", True, 1e-4, skglm),
        Released("skglm.LinearSVC", "skglm", "LinearSVC", "hinge", False, 1e-4, skglm),
        Released("glum(normal, irls-ls)", "glum", "irls-ls", "squared", False, 1e-4, glum, ("slope",)),
        Released("glum(binomial, irls-ls)", "glum", "irls-ls", "logistic", False, 1e-4, glum, ("slope",)),
        Released("glum(binomial, lbfgs)", "glum", "lbfgs", "logistic", False, 1e-4, glum, ("slope",)),
        Released("glum(normal, irls-cd)", "glum", "irls-cd", "squared", True, 1e-4, glum, ("sum of slopes",)),
        Released("glum(binomial, irls-cd)", "glum", "irls-cd", "logistic", True, 1e-4, glum, ("sum of slopes",)),
        Released(
            "statsmodels OLS.fit_regularized",
            "statsmodels",
            "OLS",
            "squared",
            True,
            1e-10,
            CHANGE + "params change by less than cnvrg_tol in a cycle (fit_regularized)",
        ),
        Released(
            "statsmodels GLM.fit_regularized",
            "statsmodels",
            "GLM-binomial",
            "logistic",
            True,
            1e-10,
            CHANGE + "params change by less than cnvrg_tol in a cycle (fit_regularized)",
        ),
        Released("snapml.LogisticRegression", "snapml", "LogisticRegression", "logistic", False, 1e-3, snap),
        Released("snapml.LinearRegression", "snapml", "LinearRegression", "squared", False, 1e-3, snap),
        Released("snapml.SupportVectorMachine(hinge)", "snapml", "SVM-hinge", "hinge", False, 1e-3, snap),
        Released(
            "snapml.SupportVectorMachine(squared_hinge)",
            "snapml",
            "SVM-squared_hinge",
            "squared-hinge",
            False,
            1e-3,
            snap,
        ),
        Released(
            "lightning.SDCAClassifier(hinge)",
            "lightning",
            "SDCAClassifier-hinge",
            "hinge",
            False,
            1e-3,
            sdca,
            ("verbose gap", "gap"),
        ),
        Released(
            "lightning.SDCAClassifier(squared_hinge)",
            "lightning",
            "SDCAClassifier-squared_hinge",
            "squared-hinge",
            False,
            1e-3,
            sdca,
            ("half gap",),
        ),
        Released(
            "lightning.LinearSVC",
            "lightning",
            "LinearSVC",
            "hinge",
            False,
            1e-3,
            NOTHING + "tol, tolerance of the stopping criterion",
        ),
        Released(
            "xgboost gblinear (squared)", "xgboost", "squared", "squared", False, 0.0, NOTHING + "a number of rounds"
        ),
        Released(
            "xgboost gblinear (squared, alpha)",
            "xgboost",
            "squared",
            "squared",
            True,
            0.0,
            NOTHING + "a number of rounds",
        ),
        Released(
            "xgboost gblinear (logistic)", "xgboost", "logistic", "logistic", False, 0.0, NOTHING + "a number of rounds"
        ),
        Released(
            "vw --bfgs (squared)", "vowpalwabbit", "squared", "squared", False, 0.0, NOTHING + "a number of passes"
        ),
        Released(
            "vw --bfgs (logistic)", "vowpalwabbit", "logistic", "logistic", False, 0.0, NOTHING + "a number of passes"
        ),
        *(
            Released(f"cvxpy {solver} ({loss})", "cvxpy", solver, loss, False, 0.0, conic, (), 60)
            for solver in ("CLARABEL", "ECOS", "SCS", "OSQP")
            for loss in (("hinge", "squared") if solver == "OSQP" else ("hinge", "logistic"))
        ),
        Released(
            "glmnet(gaussian)",
            "glmnet",
            "gaussian",
            "squared",
            True,
            1e-7,
            CHANGE + "the objective changes by less than thresh times the null deviance (thresh)",
        ),
        Released(
            "glmnet(binomial)",
            "glmnet",
            "binomial",
            "logistic",
            True,
            1e-7,
            CHANGE + "the objective changes by less than thresh times the null deviance (thresh)",
        ),
        Released(
            "svm-train -t 0",
            "debian",
            "svm-train",
            "hinge",
            False,
            1e-3,
            "tolerance of termination criterion, m(alpha) - M(alpha) <= eps (README: -e)",
            ("violation",),
        ),
        Released(
            "Spark LogisticRegression",
            "pyspark",
            "LogisticRegression",
            "logistic",
            False,
            1e-6,
            NOTHING + "tol, the convergence tolerance for iterative algorithms",
            (),
            10,
        ),
    ]


RELEASED: dict[str, Released] = {
    one.name: one
    for one in (
        *_sklearn(),
        *_liblinear("debian", "liblinear-train"),
        *_liblinear("liblinear-official", "liblinear-official"),
        *_others(),
    )
}


def released(name: str) -> Released:
    """By name; NAME==VERSION is the same in that version's environment. Raises KeyError for an unknown one."""
    base, other, version = name.partition("==")
    return replace(RELEASED[base], environment=f"{RELEASED[base].environment}=={version}") if other else RELEASED[base]
